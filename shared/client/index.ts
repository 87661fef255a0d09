export * from './peer-request';
export * from './call-route';
export * from './stream-chat';
