export * from './time-limit';
export * from './peer-request';
export * from './patient-body';
export * from './call-route';
export * from './json-lines';
export * from './stream-chat';
