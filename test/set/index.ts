export * from './managed-process';
export * from './parley-set';
export * from './session-play';
export * from './stored-rows';
export * from './folder-bytes';
export * from './sample-pack';
