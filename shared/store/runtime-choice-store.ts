import type { RuntimeChoice } from '@parley/shared/contracts';
import type { Queryable, Transaction } from './dialect';
import { z } from 'zod';
import { read } from './stored-row';
import { choiceOf, RUNTIME_CHOICE_KEY } from './stored-choice';

const StoredValue = z.object({ value: z.string() });

/** Who plays, as somebody chose it; null while nobody has. No user setting: GET and PATCH of the settings do not know it. */
export async function getRuntimeChoice(queryable: Queryable): Promise<RuntimeChoice | null> {
  const [row] = await read(queryable, (knex) => knex('settings').where({ key: RUNTIME_CHOICE_KEY }).select('value'));
  return choiceOf(StoredValue.optional().parse(row)?.value);
}

/** Keeps a choice in the place of the one before; null takes it back. */
export async function putRuntimeChoice(transaction: Transaction, choice: RuntimeChoice | null): Promise<void> {
  if (choice === null) await transaction.knex('settings').where({ key: RUNTIME_CHOICE_KEY }).delete();
  else
    await transaction
      .knex('settings')
      .insert({ key: RUNTIME_CHOICE_KEY, value: JSON.stringify(choice) })
      .onConflict('key')
      .merge();
}
