import { fakeProvider } from './fake/fake';
import { localServerProvider } from './local-server/local-server-provider';
import { localNativeProvider } from './local-native/local-native';
import type { ProviderDefinition } from './provider';

/** Every provider that SIM_RUNTIME_ID can name. The first is the default. */
export const PROVIDERS: readonly [ProviderDefinition, ...ProviderDefinition[]] = [
  fakeProvider,
  localServerProvider,
  localNativeProvider,
];
