import { useMessages } from '../messages/use-messages';
import type { Plan } from './plan-memory';

export function PlanWords({ plan }: { plan: Plan }) {
  const { plans: words } = useMessages();
  return (
    <p className="reading plan-words">
      <span className="label">{words.when}</span> <span dir="auto">{plan.when}</span>
      <br />
      <span className="label">{words.say}</span> <span dir="auto">{plan.say}</span>
    </p>
  );
}
