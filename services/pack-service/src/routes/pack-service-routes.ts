import { INTERNAL_ROUTES, PACK_ROUTES, WORKBENCH_ROUTES } from '@parley/shared/contracts';

/** The parts of the route table that concern pack-service, whether it writes or reads. */
export const PACK_SERVICE_ROUTES = { ...PACK_ROUTES, ...WORKBENCH_ROUTES, ...INTERNAL_ROUTES };
