import { useEffect } from 'react';
import { useHealth } from '../client/queries';

/**
 * Beside a stand-in line: what the service says is wrong with the model's set-up, and so what to do. Nothing where the
 * model is well again, or simply answered badly once.
 */
export function StandInReason() {
  const { data, refetch } = useHealth();
  // What was known of the health is older than the line.
  useEffect(() => void refetch(), [refetch]);
  const { status, message } = data?.runtime ?? { status: 'READY', message: null };
  if (status === 'READY' || message === null) return null;
  return (
    <p className="line-reason" dir="auto">
      {message}
    </p>
  );
}
