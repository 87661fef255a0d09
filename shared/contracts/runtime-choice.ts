import { z } from 'zod';
import { SuggestedModel } from './runtime';

const LOOPBACK_ADDRESS = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

function addressFault(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  if (/^http:\/\/[^/]+\/v1\/?$/.test(text)) return 'leave out the /v1 at its end, which Parley adds itself';
  return 'give the address of a model server on this machine, with nothing behind the port, such as http://127.0.0.1:11434';
}

/** Where a model server that can be chosen listens. Conversations stay on this machine, so it is one of its own addresses. */
export const LoopbackAddress = z
  .string()
  .max(100)
  .regex(LOOPBACK_ADDRESS, { error: ({ input }) => addressFault(input) })
  .refine((value) => !LOOPBACK_ADDRESS.test(value) || URL.canParse(value), { error: () => addressFault('') })
  .describe('Address of a model server on this machine, for example http://127.0.0.1:11434.');

/** The runtimes that come with Parley's own gateway. */
export const RUNTIME_IDS = ['fake', 'local_server', 'local_native'] as const;

export const RuntimeChoice = z
  .strictObject({
    runtime_id: z.enum(RUNTIME_IDS).describe('Who plays: fake is the demo voice.'),
    base_url: LoopbackAddress.optional(),
    model_id: z.string().min(1).max(300).optional().describe("Which of its models; absent: the runtime's own."),
  })
  .refine(({ runtime_id, base_url, model_id }) => runtime_id !== 'fake' || (base_url ?? model_id) === undefined, {
    error: 'the demo voice has neither an address nor models: leave base_url and model_id out',
  })
  .describe('Who plays the characters.');
export type RuntimeChoice = z.infer<typeof RuntimeChoice>;

export const RuntimeChoiceState = z
  .object({
    decided_by: z
      .enum(['environment', 'choice', 'default', 'gateway'])
      .describe('What decides: SIM_RUNTIME_ID, a choice, nothing yet, or another gateway that knows no choices.'),
    runtime_id: z.string().describe('Id of the runtime that plays.'),
    base_url: z.string().nullable().describe('Where it is asked; null: it has no address, or it is not known.'),
    model_id: z.string().nullable().describe("The model that was chosen; null: the runtime's own."),
    variables: z
      .array(z.string())
      .describe('Variables of the environment that are set and win over what is chosen, for this runtime or others.'),
    can_change: z.boolean().describe('Whether another runtime can be chosen.'),
  })
  .describe('Who plays the characters, and what decides that.');
export type RuntimeChoiceState = z.infer<typeof RuntimeChoiceState>;

export const FoundProgram = z
  .object({
    product: z.enum(['ollama', 'llama_server', 'lm_studio', 'other']).describe('What it is.'),
    runtime_id: z.enum(['local_server', 'local_native']).describe('The runtime that speaks to it.'),
    base_url: LoopbackAddress,
    models: z.array(z.string()).describe('What it can play with, in its order; models on other machines are left out.'),
    problem: z.string().nullable().describe('What keeps it from playing and what to do; null when nothing does.'),
  })
  .describe('A model server that runs on this machine.');
export type FoundProgram = z.infer<typeof FoundProgram>;

export const FoundPrograms = z
  .object({ found: z.array(FoundProgram).describe('What answered, in the order of the places that were looked at.') })
  .describe('Model servers that run on this machine.');
export type FoundPrograms = z.infer<typeof FoundPrograms>;

export const FittingModel = SuggestedModel.extend({
  memory_bytes: z.int().describe('Free memory that it needs, with a talk of usual length.'),
  words_per_second: z
    .object({ from: z.number().describe('On a slow machine.'), to: z.number().describe('On a quick one.') })
    .describe('How fast it speaks without a graphics card: a rough estimate from its size and the cores.'),
}).describe('A suggested model that fits this machine.');
export type FittingModel = z.infer<typeof FittingModel>;

export const FittingModels = z
  .object({
    models: z.array(FittingModel).describe('At most three, the one to try first leading.'),
    memory_available_bytes: z.int().describe('Memory that is free now.'),
    cores: z.int().describe('Cores of this machine.'),
    least_memory_bytes: z.int().describe('Free memory that the smallest of all suggested models needs.'),
  })
  .describe('Suggested models that fit this machine as it is now.');
export type FittingModels = z.infer<typeof FittingModels>;

export const RuntimeTrial = z
  .object({
    text: z.string().describe('How the answer begins.'),
    model_id: z.string().describe('The model that answered.'),
    first_word_ms: z.int().min(0).describe('Milliseconds to the first word.'),
    total_ms: z.int().min(0).describe('Milliseconds to the end of the answer.'),
  })
  .describe('One line of the runtime that plays.');
export type RuntimeTrial = z.infer<typeof RuntimeTrial>;
