export * from './named-schemas';
export * from './json-schemas';
export * from './open-api';
export * from './async-api';
export * from './docs-page';
export { buildPackFormat } from './pack-format';
export * from './format-members';
