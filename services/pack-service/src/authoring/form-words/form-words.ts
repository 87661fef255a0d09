import type { FormLanguage } from '@parley/shared/contracts';
import { english, type FormWords } from './english';
import { german } from './german';

/** The languages in which a pack can be made from a form. */
export const FORM_WORDS: Readonly<Record<FormLanguage, FormWords>> = { en: english, de: german };
