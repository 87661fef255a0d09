import type { RuntimeChoice } from '@parley/shared/contracts';
import type { Queryable } from './dialect';
import { choiceOf, RUNTIME_CHOICE_KEY } from './stored-choice';

/** Who plays, as somebody chose it; null while nobody has. No user setting: GET and PATCH of the settings do not know it. */
export async function getRuntimeChoice(queryable: Queryable): Promise<RuntimeChoice | null> {
  const row = (await queryable('settings').where({ key: RUNTIME_CHOICE_KEY }).first('value')) as
    { value: string } | undefined;
  return choiceOf(row?.value);
}

/** Keeps a choice in the place of the one before; null takes it back. */
export async function putRuntimeChoice(transaction: Queryable, choice: RuntimeChoice | null): Promise<void> {
  if (choice === null) await transaction('settings').where({ key: RUNTIME_CHOICE_KEY }).delete();
  else
    await transaction('settings')
      .insert({ key: RUNTIME_CHOICE_KEY, value: JSON.stringify(choice) })
      .onConflict('key')
      .merge();
}
