import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { pagePath } from '../../page-paths';
import { forkAt, type ForkWish } from './fork-at';

interface Fork {
  readonly begin: (wish: ForkWish) => void;
  readonly isPending: boolean;
  /** Why the last one could not be made; null when it could. */
  readonly error: unknown;
}

/** Makes a retry of a session and goes to its stage: one, however often it is pressed. */
export function useFork(sessionId: string): Fork {
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const isBusy = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (wish: ForkWish) => forkAt(sessionId, wish),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['sessions'] }),
    onSettled: () => {
      isBusy.current = false;
    },
  });
  const begin = (wish: ForkWish): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    // Whoever has left the page meanwhile stays where they are: react-query calls this only while it is there.
    mutate(wish, { onSuccess: (made) => navigate(pagePath('stage', made.id)) });
  };
  return { begin, isPending, error };
}
