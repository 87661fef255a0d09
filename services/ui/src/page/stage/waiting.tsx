import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';

/** While the character thinks: for how long already, and a way to stop it. */
export function Waiting({ actor, name }: { actor: PlayActor; name: string }) {
  const { stage } = useMessages();
  const [seconds, setSeconds] = useState(0);
  const isSpeaking = useSelector(
    actor,
    (state) =>
      state.matches({ scene: { AwaitingReply: 'NpcSpeaking' } }) ||
      state.matches({ scene: { AnsweringAgain: 'NpcSpeaking' } }),
  );
  // An ended talk has no turn that could be stopped.
  const canStop = useSelector(actor, (state) => state.context.play?.session.flow_state === 'PlayerTurnListening');
  const stopping = useSelector(actor, (state) => state.context.stopping);
  useEffect(() => {
    const begun = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - begun) / 1000)), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="composer-waiting">
      <p aria-hidden="true">
        {isSpeaking ? stage.speaking(name) : stage.thinking(name)}
        {seconds > 0 && ` · ${stage.elapsed(seconds)}`}
      </p>
      {canStop && (
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={stopping || undefined}
          onClick={() => !stopping && actor.send({ type: 'STOP' })}
        >
          {stopping ? stage.stopping : stage.stop}
        </button>
      )}
    </div>
  );
}
