import { writesOtherScript } from './writing-system';

const ENGLISH = 'I am listening, do go on.';

describe('writesOtherScript', () => {
  it.each([
    ['de', 'Ich höre Ihnen zu.'],
    ['vi', 'Tôi đang nghe, bạn cứ nói tiếp.'],
    ['ru', 'Я вас слушаю, продолжайте.'],
    ['rus', 'Я вас слушаю, продолжайте.'],
    ['el', 'Σας ακούω, συνεχίστε.'],
    ['he', 'אני מקשיב, תמשיכו בבקשה'],
    ['yi', 'איך הער אייך, רעדט ווייטער'],
    ['ar', 'أنا أستمع إليك، تفضل بالمتابعة.'],
    ['ps', 'زه اورم، دوام ورکړئ مهرباني'],
    ['ckb', 'گوێم لێتە، بەردەوام بە.'],
    ['hi', 'मैं सुन रहा हूँ, आगे बोलिए।'],
    ['bn', 'আমি আপনার কথা শুনছি, বলুন।'],
    ['ta', 'நான் கேட்கிறேன், தொடருங்கள்.'],
    ['th', 'ผมฟังอยู่ครับ พูดต่อได้เลย'],
    ['km', 'ខ្ញុំកំពុងស្តាប់អ្នក'],
    ['ka', 'გისმენთ, გააგრძელეთ.'],
    ['hy', 'Լսում եմ ձեզ, շարունակեք։'],
    ['am', 'እየሰማሁ ነው፣ ይቀጥሉ እባክዎ።'],
    ['zh', '我在听，请你继续说下去。'],
    ['yue', '我聽緊，你繼續講啦唔該。'],
    ['ja', '聞いています、続けてください。'],
    ['ko', '듣고 있어요, 계속 말씀하세요.'],
  ])('lets a reply in %s stand, and tells letters that are not its own', (language, text) => {
    expect(writesOtherScript(text, [language])).toBe(false);
    expect(writesOtherScript(text, ['en', language])).toBe(false);
    const other = /[a-z]/i.test(text) ? 'Я вас слушаю, продолжайте.' : ENGLISH;
    expect(writesOtherScript(other, [language])).toBe(true);
  });

  it.each([
    ['sr', 'Slušam vas, nastavite.', 'Слушам вас, наставите.'],
    ['uz', 'Sizni eshityapman, davom eting.', 'Сизни эшитяпман, давом этинг.'],
    ['pa', 'ਮੈਂ ਸੁਣ ਰਿਹਾ ਹਾਂ ਜੀ, ਦੱਸੋ।', 'میں سن رہا ہاں جی، دسو'],
  ])('lets both ways of writing %s stand', (language, one, other) => {
    expect([one, other].map((text) => writesOtherScript(text, [language]))).toEqual([false, false]);
  });

  const WRITTEN: Readonly<Record<string, string>> = {
    Arab: 'أنا أستمع إليك، تفضل بالمتابعة.',
    Cyrl: 'Я вас слушаю, продолжайте.',
    Deva: 'मैं सुन रहा हूँ, आगे बोलिए।',
    Latn: ENGLISH,
    Mong: 'ᠪᠢ ᠰᠣᠨᠣᠰᠴᠤ ᠪᠠᠢᠨ᠎ᠠ ᠶᠠᠷᠢ',
  };
  it.each([
    ...['az', 'ku', 'ha', 'ms', 'tg', 'tk', 'uz'].map((language) => [language, 'Latn', 'Arab'] as const),
    ...['az', 'bs', 'tk', 'tt', 'uz', 'ky', 'kk', 'tg', 'sr'].map((language) => [language, 'Latn', 'Cyrl'] as const),
    ...['kk', 'ky', 'ug'].map((language) => [language, 'Arab', 'Cyrl'] as const),
    ['ug', 'Arab', 'Latn'],
    ['ks', 'Arab', 'Deva'],
    ['sd', 'Arab', 'Deva'],
    ['mn', 'Cyrl', 'Mong'],
  ] as const)('knows that %s is written in %s and in %s', (language, one, other) => {
    expect([one, other].map((script) => writesOtherScript(WRITTEN[script] as string, [language]))).toEqual([
      false,
      false,
    ]);
  });

  it.each(['xx', 'chi', 'not a code'])('judges nothing in a language that it does not know: %s', (language) => {
    expect(writesOtherScript('我在听，请你继续说下去。', [language])).toBe(false);
    expect(writesOtherScript(ENGLISH, [language, 'en'])).toBe(false);
  });

  it('leaves a few letters alone: they may be a name', () => {
    expect(writesOtherScript('Иванов?', ['en'])).toBe(false);
  });
});
