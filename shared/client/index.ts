export * from './call-route';
export * from './stream-chat';
