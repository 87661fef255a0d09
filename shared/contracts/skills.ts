import { z } from 'zod';

/**
 * The skills that packs share, so that a learner's progress can be read across scenarios. A pack maps the dimensions of
 * its rubrics to them in its manifest; docs/skills.md tells authors what each one means.
 */
export const SKILLS = {
  asking_clearly: 'Asking clearly',
  giving_evidence: 'Giving evidence',
  finding_interests: 'Finding out what the other needs',
  listening: 'Listening and saying it back',
  making_offers: 'Making offers and closing',
  opening_gently: 'Opening gently',
  owning_your_part: 'Owning your part',
  giving_feedback: 'Giving feedback',
  staying_calm: 'Staying calm under pressure',
  telling_bad_news: 'Telling bad news',
  explaining_plainly: 'Explaining plainly',
  telling_a_story: 'Telling what you did',
  strengthening_motivation: 'Strengthening motivation',
  setting_limits: 'Setting limits',
} as const;

export type SkillId = keyof typeof SKILLS;
export const SkillId = z.enum(Object.keys(SKILLS) as [SkillId, ...SkillId[]]).describe('A skill that packs share.');
