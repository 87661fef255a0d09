export * from './stub-service';
export * from './temporary-folder';
export * from './wait-until';
export * from './free-ports';
export * from './scenario-fixture';
export * from './scripted-gateway';
export * from './socket-recorder';
export * from './open-browser';
