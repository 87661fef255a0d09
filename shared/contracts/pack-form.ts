import { z } from 'zod';
import { PackId } from './primitives';

/** Longer ones do not fit into the texts that they become part of. In UTF-16 units. */
const answer = (longest: number) => z.string().trim().min(1).max(longest);

/** The languages in which a pack can be made from a form. */
export const FormLanguage = z.enum(['en', 'de']).describe('A language in which a pack can be made from a form.');
export type FormLanguage = z.infer<typeof FormLanguage>;

/** What a pack is made from: the answers of a person who has a talk before them. */
export const PackForm = z
  .strictObject({
    who: answer(80).describe('Whom the talk is with, as "Marta, my team lead".'),
    want: answer(160).describe('What the player wants from them, as "work from home on Fridays".'),
    need: answer(160).describe(
      'What the other person fears or needs, as "that somebody is there when a customer calls".',
    ),
    title: answer(60).optional().describe('Name of the scenario; made from `who` when left out.'),
    pack_id: PackId.optional().describe('Id of the pack; made from the title when left out.'),
    language: FormLanguage.optional().describe('Language of the answers and of the talk; English when left out.'),
    author: answer(80).optional().describe('Who wrote it; "me" when left out.'),
  })
  .describe('The answers of a form that becomes a pack.')
  .meta({ id: 'PackForm' });
export type PackForm = z.infer<typeof PackForm>;
