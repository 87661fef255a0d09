import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Settings } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { useSay } from '../shell/status';
import { rememberPrivacy, type PrivacySwitch } from './privacy-settings';

interface PrivacySettings {
  /** With changes that are on their way; undefined until the service has answered. */
  readonly settings: Settings | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
  readonly changeError: unknown;
  readonly change: (name: PrivacySwitch, on: boolean) => void;
}

/** The settings as the service has them, and how to change one. */
export function usePrivacySettings(): PrivacySettings {
  const { settings: words } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const { data, error, refetch } = useQuery({ queryKey: ['settings'], queryFn: () => callApi('getSettings', {}) });
  // Where a change that is on its way goes to: the switch shows that at once.
  const [wanted, setWanted] = useState<Partial<Record<PrivacySwitch, boolean>>>({});
  const patch = useMutation({
    mutationFn: (body: Partial<Record<PrivacySwitch, boolean>>) => callApi('patchSettings', { body }),
    onSuccess: (answer) => {
      cache.setQueryData(['settings'], answer);
      say(words.saved);
    },
    onSettled: () => setWanted({}),
  });
  useEffect(() => {
    if (data !== undefined) rememberPrivacy(data.settings);
  }, [data]);
  return {
    settings: data === undefined ? undefined : { ...data.settings, ...wanted },
    error,
    refetch: () => void refetch(),
    changeError: patch.error,
    change: (name, on) => {
      setWanted({ ...wanted, [name]: on });
      patch.mutate({ [name]: on });
    },
  };
}
