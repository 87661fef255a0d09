import { describeWithModelServer } from '@parley/shared/testing';
import type { RunningModelServer } from '@parley/shared/testing';
import { ask, start } from '../testing/model-server-caller';

interface Message {
  readonly role: string;
  readonly content: string;
}

const TURNS = 8;
/** About as much longer than what changes as in Parley's prompts. */
const SCENARIO = 'A tenant wants to talk about the rent. The landlord has waited for two months. '.repeat(60);

/**
 * A talk as Parley sends it: the session's own code stands near the beginning, so that talks of one scenario share little;
 * what changes stands last, and is the plain words in the next turn's prompt.
 */
class Talk {
  private readonly told: Message[] = [];
  read = 0;
  all = 0;

  constructor(private readonly fence: string) {}

  async turn(server: RunningModelServer, turn: number): Promise<void> {
    const system = { role: 'system', content: `Stay in character.\n<<${this.fence}>>\n${SCENARIO}<</${this.fence}>>` };
    const words = `The heating is still broken, and it is cold, ${turn}.`;
    const state = `STATE trust: ${40 + turn}, patience: ${60 - turn}, turns left: ${TURNS - turn}\nPLAYER ${words}`;
    const messages = [system, ...this.told, { role: 'user', content: state }];
    const { usage, choices } = await ask(server, { messages, max_tokens: 24, seed: turn });
    const said = choices[0].message.content.replace(/\uFFFD/g, '').trim();
    this.told.push({ role: 'user', content: words }, { role: 'assistant', content: `${said}.` });
    // The first prompt of a talk is read by everybody.
    if (turn === 0) return;
    this.all += usage.prompt_tokens;
    this.read += usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens;
  }
}

describeWithModelServer('three talks on a model server with two slots', () => {
  it('read at most 15 % of their prompts again, where one talk more is kept than is answered at once', async () => {
    const server = await start({ args: ['-c', '8192', '-np', '2', '--spare', '1'] });
    const talks = ['7d1f', 'a90c', '33be'].map((fence) => new Talk(fence));
    for (let turn = 0; turn < TURNS; turn += 1) for (const talk of talks) await talk.turn(server, turn);
    const sum = (of: (talk: Talk) => number): number => talks.reduce((total, talk) => total + of(talk), 0);
    const share = sum(({ read }) => read) / sum(({ all }) => all);
    process.stdout.write(`three talks in turns: ${(share * 100).toFixed(1)} % of the prompt tokens were read again\n`);
    expect(share).toBeLessThan(0.15);
  });

  it('also when all three speak at once and one of them has to wait', async () => {
    const server = await start({ args: ['-c', '8192', '-np', '2', '--spare', '1'] });
    const talks = ['7d1f', 'a90c', '33be'].map((fence) => new Talk(fence));
    for (let turn = 0; turn < TURNS; turn += 1) await Promise.all(talks.map((talk) => talk.turn(server, turn)));
    for (const { read, all } of talks) expect(read / all).toBeLessThan(0.15);
  });
});
