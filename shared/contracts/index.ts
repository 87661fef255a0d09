export * from './primitives';
export * from './unspaced-scripts';
export * from './errors';
export * from './ports';
export * from './runtime';
export * from './runtime-choice';
export * from './model-server';
export * from './npc-output';
export * from './signs';
export * from './judgement';
export * from './skills';
export * from './drill';
export * from './turn';
export * from './events';
export * from './debrief';
export * from './session';
export * from './settings';
export * from './health';
export * from './condition';
export * from './scenario';
export * from './scenario-content';
export * from './signs';
export * from './pack';
export * from './pack-form';
export * from './workbench';
export * from './scenario-file';
export * from './rubric-file';
export * from './playthrough-file';
export * from './pack-files';
export * from './internal';
export * from './resource-offer';
export * from './insight';
export * from './paths';
export {
  CHAT_BODY_LIMIT,
  JSON_BODY_LIMIT,
  SERVICES,
  UPLOAD_LIMIT,
  type ResponseShape,
  type RouteShape,
  type ServiceName,
} from './routes/route-shape';
export * from './routes/play-routes';
export * from './routes/review-routes';
export * from './routes/system-routes';
export * from './routes/pack-routes';
export * from './routes/workbench-routes';
export * from './routes/model-routes';
export * from './routes/choice-routes';
export * from './routes/gateway-routes';
export * from './routes/internal-routes';
export * from './routes';
export * from './version';
