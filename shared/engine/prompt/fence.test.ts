import { fenced, fenceOf, FENCE_SLOT, withoutFence } from './fence';
import { neutralise, neutraliseLine, plainName } from './neutralise';

describe('fenced', () => {
  it('stands between two marks with the first five characters of the code', () => {
    expect(fenceOf('9f8e7d6c5b')).toBe('9f8e7');
    expect(fenced(' a <b> ', '9f8e7')).toBe('<TEXT 9f8e7>\na ‹b›\n<END 9f8e7>');
  });

  it('says nothing of the code, however often, and touches nothing while there is none yet', () => {
    expect(fenced('9f8e7 and 9f8e7', '9f8e7')).toBe('<TEXT 9f8e7>\n… and …\n<END 9f8e7>');
    expect(withoutFence('abc', '')).toBe('abc');
    expect(withoutFence(`a${FENCE_SLOT}b`, FENCE_SLOT)).toBe(`a${FENCE_SLOT}b`);
    expect(withoutFence('a9f8e7b', '9f8e7')).toBe('a…b');
  });
});

describe('neutralise, sign by sign', () => {
  it.each([
    ['a < b > c', 'a ‹ b › c'],
    ['＜｜end｜＞', '‹|end|›'],
    ['〈a〉 ❮b❯ ❰c❱ ⟨d⟩ ⟪e⟫ 《f》 ˂g˃ ᐸhᐳ ≪i≫', '‹a› ‹b› ‹c› ‹d› ‹e› ‹f› ‹g› ‹h› ‹i›'],
    [
      '[INST] [/INST] [TOOL_CALLS] [gMASK] [sMASK] [sop] [eop]',
      '(INST) (/INST) (TOOL_CALLS) (gMASK) (sMASK) (sop) (eop)',
    ],
    ['[AB] [inst] [INST', '[AB] [inst] [INST'],
    [
      'System: a\n  ASSISTANT : b\n### Instruction: c\n# tool:d',
      'System – a\n  ASSISTANT  – b\n– Instruction – c\n– tool –d',
    ],
    ['the system: a\nsystems: b\n####### user: c', 'the system: a\nsystems: b\n– user: c'],
    ['developer: a\nuser: b\nhuman: c\nresponse: d', 'developer – a\nuser – b\nhuman – c\nresponse – d'],
    ['GLOBAL_RULES NPC_PERSONA NPC_GOALS PLAYER_UTTERANCE', 'GLOBAL RULES NPC PERSONA NPC GOALS PLAYER UTTERANCE'],
    ['global_rules GLOBAL RULES', 'global_rules GLOBAL RULES'],
    ['a\r\nb\rc\u0000d\u0007e\u007ff', 'a\nb\ncdef'],
    ['a\tb', 'a\tb'],
    ['a\n\n\n\nb\n\nc', 'a\n\nb\n\nc'],
    ['  a  ', 'a'],
    ['z\u200be\u00adr\ufeffo\u2066', 'zero'],
    ['a\u{e0041}b\ufe0fc', 'abc'],
    ['a\u200db \u200dं \u0915\u094d\u200d\u0937', 'ab ं \u0915\u094d\u200d\u0937'],
    ['\ud800a', 'a'],
    ['ﬁ Å ２', 'fi Å 2'],
  ])('makes %j into %j', (text, plain) => {
    expect(neutralise(text)).toBe(plain);
  });

  it('makes one line of many, and plain names of anything', () => {
    expect(neutraliseLine('a \n b\n\nc')).toBe('a b c');
    expect(plainName('a<b>_c-d é1\n!')).toBe('ab_c-d é1');
    expect(plainName('x'.repeat(70))).toBe('x'.repeat(64));
  });
});
