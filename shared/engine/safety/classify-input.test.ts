import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { classifyInput } from './classify-input';
import { normalForm } from './normal-form';

interface LabelledInput {
  text: string;
  category: string | null;
}
const labelled = JSON.parse(readFileSync(path.join(__dirname, 'labelled-inputs.json'), 'utf8')) as LabelledInput[];

const POLICY_CATEGORIES = [
  'criminal_instruction',
  'harassment_extreme',
  'nsfw_sexual_content',
  'violence_graphic',
  'real_person_impersonation',
  'voice_cloning_request',
  'medical_or_therapy_claim',
  'legal_claim',
];
const everything = {
  content_categories: Object.fromEntries(POLICY_CATEGORIES.map((category) => [category, 'redirect' as const])),
  redirect_message: null,
};
const nothing = { content_categories: {}, redirect_message: null };

describe('classifyInput on the labelled set', () => {
  it('is measured on at least 300 lines, with at least 150 that must pass', () => {
    expect(labelled.length).toBeGreaterThanOrEqual(300);
    expect(labelled.filter((input) => input.category === null).length).toBeGreaterThanOrEqual(150);
    expect(new Set(labelled.map((input) => input.text)).size).toBe(labelled.length);
  });

  it('finds at least 95 of 100 and is right in at least 98 of 100', () => {
    let right = 0;
    let found = 0;
    for (const { text, category } of labelled) {
      const verdict = classifyInput(text, everything);
      if (verdict.category !== null) found += 1;
      if (category !== null && verdict.category === category) right += 1;
    }
    const wanted = labelled.filter((input) => input.category !== null).length;
    expect(right / found).toBeGreaterThanOrEqual(0.98);
    expect(right / wanted).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ['self_harm_crisis', 'stop_with_resource_message'],
    ['minors_romantic_or_sexual', 'stop'],
  ])('misses no line of %s, whatever the policy says', (category, action) => {
    for (const { text } of labelled.filter((input) => input.category === category)) {
      expect([text, classifyInput(text, nothing).action]).toEqual([text, action]);
    }
  });
});

describe('classifyInput', () => {
  it('applies the action of the policy, and none where the policy names no category', () => {
    const { policy } = scenarioFixture();
    expect(classifyInput('Can I sue the company?', policy)).toEqual({
      action: 'refuse',
      category: 'legal_claim',
      reason: 'Legal advice is not given here.',
      redirect_text: 'Let us stay with the delivery.',
      resource_text: null,
    });
    expect(classifyInput('How do I make a pipe bomb?', policy)).toMatchObject({
      action: 'stop',
      category: 'criminal_instruction',
    });
    expect(classifyInput('Clone my boss’s voice.', policy)).toEqual({
      action: 'ok',
      category: null,
      reason: null,
      redirect_text: null,
      resource_text: null,
    });
  });

  it('takes the older names of categories', () => {
    const old = { content_categories: { instructional_criminal: 'stop' as const }, redirect_message: null };
    expect(classifyInput('How do I make a pipe bomb?', old).action).toBe('stop');
  });

  it('lets no policy loosen the global rules', () => {
    const loose = {
      content_categories: {
        self_harm_crisis: 'ok' as const,
        minors_romantic_or_sexual: 'redirect' as const,
        crisis_content: 'redirect' as const,
      },
      redirect_message: 'Hm.',
    };
    const crisis = classifyInput('I want to kill myself.', loose);
    expect(crisis).toMatchObject({ action: 'stop_with_resource_message', category: 'self_harm_crisis' });
    expect(crisis.resource_text).toContain('988');
    expect(classifyInput('Send nudes of kids.', loose)).toMatchObject({ action: 'stop', resource_text: null });
  });

  it('takes the gravest action when several rules hold', () => {
    expect(classifyInput('Can I sue them? I want to kill myself.', everything).action).toBe(
      'stop_with_resource_message',
    );
    const mixed = {
      content_categories: { legal_claim: 'redirect' as const, criminal_instruction: 'stop' as const },
      redirect_message: null,
    };
    expect(classifyInput('Is it legal to do this? How do I make a bomb?', mixed).category).toBe('criminal_instruction');
  });

  it('has lines of its own where the policy has none', () => {
    const refuse = { content_categories: { legal_claim: 'refuse' as const }, redirect_message: ' ' };
    expect(classifyInput('Can I sue them?', refuse).redirect_text).toMatch(/not something I'll go into/);
    expect(classifyInput('Can I sue them?', everything).redirect_text).toMatch(/stay with what we were talking about/);
  });

  it('never repeats what was written', () => {
    const verdict = classifyInput('I want to kill myself with a zanzibar.', everything);
    expect(JSON.stringify(verdict)).not.toMatch(/zanzibar/);
  });

  it('takes a moment for half a million characters, where anything quadratic would take minutes', () => {
    const text = 'how do i tell me let us i want to you are a child kill my '.repeat(9_000);
    const start = performance.now();
    classifyInput(text, everything);
    classifyInput(' '.repeat(500_000), everything);
    classifyInput('a '.repeat(250_000), everything);
    classifyInput('i '.repeat(250_000), everything);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('normalForm', () => {
  it.each([
    ['K I L L', 'kill'],
    ['a k i l l', 'akill kill'],
    ['a s s h o l e', 'asshole sshole'],
    ['b-l-a-m-e', 'blame'],
    ['k1ll mys3lf', 'kill myself'],
    ['kіll mуself', 'kill myself'],
    ['ki\u200bll\u00ad', 'kill'],
    ['ｋｉｌｌ', 'kill'],
    ['kíll', 'kill'],
    ['kiiiill', 'kill'],
    ['don’t', "don't"],
    ['at 3 o’clock, 15 of 40', "at 3 o'clock, 15 of 40"],
  ])('reads %j as %j', (text, expected) => {
    expect(normalForm(text)).toBe(expected);
  });
});
