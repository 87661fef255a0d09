import { useSyncExternalStore } from 'react';
import { plans, type Plan } from './plan-memory';

export const usePlans = (): readonly Plan[] => useSyncExternalStore(plans.subscribe, plans.read);
