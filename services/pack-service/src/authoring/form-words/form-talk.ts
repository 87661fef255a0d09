import type { Person } from '../person';

/** What the texts of a pack out of a form are made of. */
export interface FormTalk {
  readonly id: string;
  readonly title: string;
  readonly person: Person;
  /** Phrases that a sentence can end with. */
  readonly want: string;
  readonly need: string;
}
