import type { Condition } from '@parley/shared/contracts';

const COMPARISON = /^([a-z0-9_]{1,64}) ?(>=|<=|>|<|above|below|over|under) ?(-?\d{1,9}(?:\.\d{1,9})?)$/;
const TURN = /^(?:max_)?turns? ?(>=|==?|>)? ?(\d{1,3})$/;
const FLAG = /^(?:flag )?([a-z0-9_]{1,64})$/;

function conditionOf(words: string): Condition | null {
  const turn = TURN.exec(words);
  if (turn !== null) return { type: 'max_turns', value: Number(turn[2]) + (turn[1] === '>' ? 1 : 0) };
  const [, variable = '', sign = '', figure = ''] = COMPARISON.exec(words) ?? [];
  if (variable !== '') {
    const number = Number(figure);
    // Both conditions are strict: at least 80 is above 79.
    if (['>', '>=', 'above', 'over'].includes(sign))
      return { type: 'variable_above', variable, threshold: sign === '>=' ? Math.ceil(number) - 1 : number };
    return { type: 'variable_below', variable, threshold: sign === '<=' ? Math.floor(number) + 1 : number };
  }
  const [, flag] = FLAG.exec(words) ?? [];
  return flag === undefined ? null : { type: 'flag', flag_id: flag };
}

const written = (condition: Condition): string =>
  `{${Object.entries(condition)
    .map(([member, value]) => `${member}: ${value}`)
    .join(', ')}}`;

/** A condition that an author wrote in words (`trust > 50`), in the form that the format has; null when it has none. */
export function conditionForm(words: string): string | null {
  if (words.length > 200) return null;
  const parts = words
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .split(/ (?:and|&&) /);
  const conditions = parts.map(conditionOf);
  if (conditions.some((one) => one === null)) return null;
  const forms = conditions.map((one) => written(one as Condition));
  return forms.length === 1 ? (forms[0] ?? null) : `[${forms.join(', ')}]`;
}
