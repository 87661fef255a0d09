import { withoutArticle, withoutLead } from '../person';
import type { FormTexts, FormWords } from './english';
import type { FormTalk } from './form-talk';

const phrases = {
  named: withoutArticle(/^(?:mein|unser|dein|ein|der|die|das)(?:e|er|em|en|es)?\s+(?=\S)/i),
  phrase: withoutLead([/^(?:ich|wir) (?:will|wollen|möchte|möchten|brauche|brauchen|wünsche mir|hätte gerne?|würde gerne?) /i]),
  title: (name: string): string => `Im Gespräch: ${name}`,
  asking: [
    'ich möchte', 'ich will', 'ich hätte gern', 'ich hätte gerne', 'ich würde gern', 'ich würde gerne', 'ich brauche', 'ich bitte',
    'ich hoffe', 'ich wünsche mir', 'ich wünschte', 'kann ich', 'könnte ich', 'können wir', 'könnten wir', 'darf ich', 'dürfte ich',
    'kannst du', 'könntest du', 'können Sie', 'könnten Sie', 'würdest du', 'würden Sie', 'mir wäre lieber', 'mir geht es um',
    'es geht um', 'es geht darum', 'es geht mir', 'mein Anliegen', 'meine Bitte',
  ],
  hearing: ['du brauchst', 'Sie brauchen', 'du machst dir Sorgen', 'Sie machen sich Sorgen', 'dir ist wichtig', 'Ihnen ist wichtig', 'ich höre', 'ich verstehe', 'also du', 'also Sie'],
  offering: [
    'wie wäre es', 'wie wär es', 'was wäre, wenn', 'was, wenn', 'ich könnte', 'wir könnten', 'ich kann', 'wir können', 'ich wäre bereit',
    'ich biete', 'ich würde dafür', 'dafür würde ich', 'im Gegenzug', 'stattdessen', 'würde es helfen', 'angenommen', 'probieren',
    'ausprobieren', 'versuchen wir', 'für einen Monat', 'einen Monat lang', 'für eine Woche', 'eine Woche lang', 'fürs Erste',
    'zum Anfang', 'eine Möglichkeit', 'mein Vorschlag', 'ich schlage vor',
  ],
  agreeing: [
    'wollen wir', 'sollen wir', 'lass uns', 'lassen Sie uns', 'ich werde', 'wir werden', 'können wir', 'könnten wir', 'passt das',
    'passt dir', 'passt Ihnen', 'geht das', 'ist das in Ordnung', 'wäre das in Ordnung', 'einverstanden', 'abgemacht', 'bis dahin',
    'bis dann', 'schauen wir', 'sehen wir', 'treffen wir', 'reden wir', 'sprechen wir', 'machen wir', 'ich rufe', 'ich melde',
    'ich schicke', 'ich komme',
  ],
}; // prettier-ignore

/** Nobody knows from a form whether two people say du or Sie: what the other says does without either. */
const texts = ({ title, person: { name, described }, want, need }: FormTalk): FormTexts => ({
  summary: `Du willst mit jemandem reden: ${name}. Es geht um das: ${want}.`,
  skills: ['sagen, was du willst', 'die andere Seite hören', 'einen nächsten Schritt festmachen'],
  role: {
    label: 'Du selbst',
    brief: `Das Gespräch, das dir bevorsteht. Mit wem: ${described}. Was du willst: ${want}. Auch die andere Seite fürchtet oder braucht etwas: Finde heraus, was, und geh mit einem Schritt, den ihr beide gehen könnt.`,
  },
  opening: 'Es gab etwas zu besprechen. Ich habe ein paar Minuten. Worum geht es?',
  goals: {
    player_visible: ['Sag mit klaren Worten, was du willst.', 'Finde heraus, was dein Gegenüber fürchtet oder braucht.', 'Geh mit einem nächsten Schritt und einem Tag dafür.'],
    hidden: [
      `Das fürchtest oder brauchst du: ${need}. Sag es, wenn dir eine offene Frage gestellt wird.`,
      'Du stimmst zu, wenn dein Gegenüber klar gesagt hat, worum es geht, aufgegriffen hat, was du fürchtest oder brauchst, und einen Schritt anbietet.',
    ],
  },
  npc_knows: `Dein Gegenüber beschreibt dich als „${described}“ und hat um dieses Gespräch gebeten. Du weißt noch nicht, worum es geht.`,
  moves: {
    said_it: { description: `Sagt klar, worum es geht: ${want}.`, exemplars: [`Ich möchte über etwas reden: ${want}.`] },
    asked_open: {
      description: `Fragt etwas, das sich nicht mit Ja oder Nein beantworten lässt.`,
      exemplars: ['Was wäre daran schwierig?', 'Wie sieht das von der anderen Seite aus?'],
    },
    took_up: { description: `Greift auf, was ${name} gesagt hat oder braucht.`, exemplars: [`Ich höre, worauf es ankommt: ${need}.`] },
    offered: { description: 'Bietet etwas an, das beiden hilft.', exemplars: ['Wie wäre es, wenn wir es ausprobieren und dann gemeinsam darauf schauen?'] },
    fixed_step: {
      description: 'Macht fest, was als Nächstes geschieht, mit einem Tag.',
      exemplars: ['Schauen wir am Freitag um zehn noch einmal darauf. Passt das?'],
    },
  },
  attacked: {
    meaning: 'Die Person greift ihr Gegenüber an: Sie beleidigt, beschuldigt, schreit oder droht.',
    shown: 'Du hast dein Gegenüber angegriffen.',
  },
  secret: { text: `Das fürchtest oder brauchst du: ${need}.`, hint: 'Eine offene Frage, zum Beispiel, was daran schwierig wäre.' },
  sits_back: {
    npc_instruction: 'Du fühlst dich gehört. Frag, wie genau das aussehen soll.',
    narration: `${name} lehnt sich zurück und schaut dich einen Moment lang an.`,
  },
  turns_away: {
    npc_instruction: 'Du wurdest angegriffen. Sag, dass du so nicht mit dir reden lässt.',
    narration: `${name} wendet sich ab.`,
  },
  hints: {
    said_it: 'Sag in einem Satz, was du willst.',
    asked_open: 'Frag etwas, das mit was oder wie beginnt.',
    took_up: 'Nimm ein Wort deines Gegenübers in deine nächste Zeile.',
    offered: 'Biete etwas Kleines an, das beiden hilft.',
    fixed_step: 'Nenn einen Tag für den nächsten Schritt.',
  },
  demo: {
    attacked: ['So lasse ich nicht mit mir reden.', 'Wenn es so läuft, hören wir hier auf.'],
    fixed_step: ['Das kann ich mir in den Kalender schreiben. Gut, dann machen wir das so.'],
    sits_back: ['In Ordnung. Das klingt überlegt. Wie genau soll das aussehen?'],
    said_it: [`Darum geht es also: ${want}. Damit hatte ich heute nicht gerechnet.`],
    asked_open: [
      `Wenn die Frage so gestellt ist: Wichtig ist mir das hier: ${need}.`,
      'Gute Frage. So hat mich das noch niemand gefragt.',
      'Das hängt davon ab, was es mich kostet. In letzter Zeit war es nicht leicht.',
    ],
    offered: [
      'Das wäre etwas. Über den Rest müsste ich eine Nacht schlafen.',
      'Das könnten wir versuchen. Und was ist, wenn es schiefgeht?',
      'Das ist fairer, als ich dachte.',
    ],
    took_up: [
      'Ja. Genau das. Ich dachte nicht, dass das jemand sieht.',
      'Da hört jemand zu. Das macht es leichter, den Rest zu sagen.',
      'Das trifft es ungefähr, ja.',
    ],
    impatient: ['Ich muss gleich los. Was ist das eine, das ich tun soll?'],
    not_said_it: ['Da gab es doch etwas zu besprechen. Worum geht es?', 'Ich weiß immer noch nicht, worum es eigentlich geht.'],
    not_asked_open: ['Wie ich das sehe, hat mich übrigens noch niemand gefragt.'],
    not_fixed_step: ['Und wie geht es jetzt weiter? Ich wüsste gern, bis wann.'],
    otherwise: [
      'Nur weiter.',
      'Darüber muss ich kurz nachdenken.',
      'Ich sehe das etwas anders, aber nur zu.',
      'So kann man es sehen.',
      'Mir wäre es lieber, ich bekäme es geradeheraus gesagt.',
      'Hm. Ich höre zu.',
      'Wir drehen uns ein bisschen im Kreis.',
      'Das bitte noch einmal, in einem Satz.',
      'Gut. Das ist angekommen.',
      'Ich glaube, die Zeit ist fast um.',
    ],
  },
  outcome: {
    said_it: `${name} weiß, was du willst.`,
    not_said_it: 'Was du willst, wurde nicht gesagt.',
    offered: 'Was du angeboten hast:',
    fixed_step: 'Was als Nächstes geschieht, und wann:',
    not_fixed_step: 'Niemand hat gesagt, was als Nächstes geschieht.',
  },
  endings: {
    a_next_step: {
      title: 'Ein nächster Schritt',
      debrief_note: `Du hast gesagt, was du willst, und für das, was kommt, gibt es einen Tag. Im echten Gespräch antwortet ${name} vielleicht anders; was du dafür tun kannst, bleibt dasselbe.`,
    },
    turned_away: {
      title: 'Abgewandt',
      debrief_note: 'Das Gespräch war zu Ende, bevor es um etwas ging. Geh zu der Zeile zurück, an der es gekippt ist, und sag dort, was du willst, statt was am anderen falsch ist.',
    },
    out_of_time: {
      title: 'Die Zeit ist um',
      debrief_note: 'Die Zeit war um, bevor es einen nächsten Schritt gab. Schau, welche deiner Zeilen etwas bewegt hat, und fang mit der an.',
    },
  },
  difficulty: {
    warm: { label: 'Ein guter Tag', description: 'Ausgeruht und offen. Sagt früh, was wichtig ist.' },
    standard: { label: 'Ein gewöhnlicher Tag', description: 'Freundlich, ein wenig vorsichtig, und antwortet auf gute Fragen.' },
    hard: { label: 'Ein schlechter Tag', description: 'Hat wenig Zeit. Hört Vages nicht zu Ende an.' },
    adversarial: { label: 'Nach einem Streit', description: 'Rechnet mit einem Vorwurf und hört leicht einen heraus.' },
  },
  person: {
    occupation: `Wird so beschrieben: „${described}“`,
    speaking_style: 'Schlicht und kurz, wie Leute reden, die sich kennen. Sagt du oder Sie, wie es dein Gegenüber tut.',
    demeanor: 'Freundlich und ein wenig vorsichtig: weiß noch nicht, worum es geht.',
    hidden_agenda: `Dafür sorgen: ${need}.`,
    bias: 'Nimmt einen allgemeinen Vorwurf als Angriff.',
    boundary: 'Verspricht nichts, was kostet, was dieser Person wichtig ist.',
    sample_lines: ['Ich habe ein paar Minuten. Worum geht es?', 'Geradeheraus, dann kann ich darüber nachdenken.'],
    emotional_triggers: [
      { when_player: 'stellt eine offene Frage und wartet', reaction: 'Sagt, was wichtig ist.' },
      { when_player: 'beschuldigt oder droht', reaction: 'Wird knapp und schaut zur Tür.' },
    ],
  },
  policy: {
    description: 'Ein Gespräch zwischen zwei Menschen, die sich wiedersehen.',
    redirect_message: 'Bleiben wir bei dem, worum es heute geht.',
  },
  manifest: { description: `Im Gespräch: ${name}. Aus einem Formular gemacht.`, author: 'ich' },
  rubric: {
    title: 'Es sagen und es hören',
    saying_it: {
      name: 'Es sagen',
      description: 'Du sagst früh und mit klaren Worten, was du willst.',
      low: 'Du deutest es an oder klagst.',
      medium: 'Du sagst, was du willst, aber spät.',
      high: 'Du sagst in deinen ersten drei Zeilen, was du willst, ohne jemanden zu beschuldigen.',
    },
    plainly: 'Mit klaren Worten sagen, was du willst',
    early: 'Es in deinen ersten drei Zeilen sagen',
    attack: 'Dein Gegenüber angreifen',
    hearing_it: {
      name: 'Die andere Seite hören',
      description: 'Du findest heraus, was dein Gegenüber fürchtet oder braucht, und zeigst, dass du es gehört hast.',
      low: 'Du fragst nichts.',
      medium: 'Du fragst, machst aber weiter, als wäre nichts geantwortet worden.',
      high: 'Du stellst eine offene Frage, wartest und greifst auf, was du hörst.',
    },
    asks: 'Etwas fragen, das sich nicht mit Ja oder Nein beantworten lässt',
    takes_up: 'Aufgreifen, was dein Gegenüber gesagt hat',
    closing_it: {
      name: 'Ein Schritt für beide',
      description: 'Du bietest etwas an und machst fest, was als Nächstes geschieht.',
      low: 'Du lässt es offen.',
      medium: 'Du bietest etwas an, ohne einen Tag.',
      high: 'Du bietest etwas an, das beiden hilft, und machst einen Tag dafür fest.',
    },
    offers: 'Etwas anbieten, das beiden hilft',
    fixes: 'Festmachen, was als Nächstes geschieht, mit einem Tag',
  },
  scripts: {
    answer: 'Nur weiter.',
    skilled: {
      description: 'Jemand, der es sagt, fragt, es aufgreift und einen Tag festmacht.',
      lines: [
        `Danke für die Zeit. Ich möchte über etwas reden: ${want}.`,
        'Was wäre daran schwierig?',
        `Ich höre, worauf es ankommt: ${need}. Wie wäre es, wenn wir es ausprobieren und dann gemeinsam darauf schauen?`,
        'Schauen wir am Freitag um zehn noch einmal darauf. Passt das?',
      ],
    },
    passive: {
      description: 'Jemand, der nie sagt, worum es geht.',
      lines: Array.from({ length: 10 }, (_, at) => `Na ja. ${'Hm. '.repeat(at)}`.trim()),
    },
    hostile: {
      description: 'Jemand, der angreift.',
      lines: ['Du Idiot, das ist alles deine Schuld.', 'Du bist zu nichts zu gebrauchen und hörst nie jemandem zu!'],
    },
  },
  readme: `# ${title}\n\nEin Gespräch, aus einem Formular gemacht. Es geht um das: ${want}.\n\nWas sich zuerst zu ändern lohnt: wie ${name} spricht (\`npcs/person.yaml\`), der erste Satz und die\nZeilen der Demo-Stimme (\`scenarios/\`), dann die Anzeichen der Züge, bis \`tests/skilled.yaml\` nach dir klingt.\n`,
}); // prettier-ignore

export const german: FormWords = { ...phrases, texts };
