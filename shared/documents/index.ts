export * from './named-schemas';
export * from './json-schemas';
export * from './open-api';
export * from './async-api';
export * from './docs-page';
export * from './pack-format';
