/** The help page: how everything works, in the order in which one meets it. */
export const help = {
  help: {
    title: 'Help',
    intro: 'Parley is a rehearsal room: practise a hard conversation here first, then read how it went.',
    talk: 'How a talk works',
    talkText: [
      'Choose a scenario in the library. It tells you who you are, who you meet and what you want. Press Begin, and the character speaks first. Then you take turns: write what you would really say, and press Enter.',
      'A talk is over when you have what you came for, when the other person has had enough, when your lines are used up, or when you press End the talk. Nobody is hurt by what you try here.',
      'The status at the top of the page says who plays the character. The demo voice answers with prepared lines and does not understand you; a model does. If a model’s reply cannot be used, a stand-in line takes its place and is marked as one.',
    ],
    meters: 'The meters',
    metersText: [
      'Next to the character are meters such as trust or patience: how the other person feels about the talk. After each turn they show how much they moved, for example Trust 56 ▲6.',
      'What you do in the talk moves them more than kind words. Some scenarios hide a meter while you play; the debrief shows it.',
    ],
    hints: 'Hints',
    hintsText: [
      'When the scenario has a hint for this moment, Show a hint appears below the meters. Reading it costs nothing: it changes no meter and no score.',
    ],
    retry: 'Trying again',
    retryText: [
      'Each of your lines has a Retry button on the stage, and the debrief has one where it would help most. It starts a new talk at that line, with everything as it was then; the original talk stays as it is. Retrying needs a kept transcript.',
      'When a talk is over, you can go back to the line that decided it, or to any that the debrief names, and say it again: three tries, each with what it meets and what is missing. You can play on from any of them.',
      'At the easiest difficulty you can choose coaching: Check this line then tells you what a line is missing before you send it. Coached talks are counted separately.',
      'Retries are practice. Progress shows them separately from first attempts, which show what you can do unaided.',
    ],
    letter: 'The debrief',
    letterText: [
      'When a talk is over, you can rate yourself first: the gap between your view and the score is worth knowing. Then you read the debrief: what to do next time, what worked, where the talk turned, and finally the scores with the lines they are based on.',
      'You always get a debrief, even without a model.',
      'Below it you can write one plan for the real conversation: when …, I will say …. It stays in this browser, appears in the library, and you are asked about it once, a week later.',
    ],
    data: 'Where your data is',
    dataText: [
      'Everything stays in Parley’s data folder on this machine; npm run doctor shows where it is, and SIM_DATA_DIR changes it. Nothing you say is sent anywhere except to the model server you connect yourself.',
      'You can turn transcripts off in the settings, and delete one talk or everything in the history.',
    ],
    keyboard: 'Keyboard',
    keys: [
      [['Enter'], 'Sends what you typed, or presses the focused button.'],
      [['Ctrl+Enter'], 'In a coached talk: checks what you typed before you send it.'],
      [['Shift+Enter'], 'Starts a new line.'],
      [['Tab', 'Shift+Tab'], 'Move to the next or previous control. The first one on each page skips to the content.'],
      [['Escape'], 'Closes a dialog without answering.'],
      [['↑', '↓'], 'Scroll the focused transcript, or move a slider or a choice.'],
    ] as readonly (readonly [readonly string[], string])[],
    trouble: 'When something does not work',
    troubleText: [
      'The status at the top of the page tells you when a part of Parley is not responding and what to do. Diagnostics lists every part and recent errors, and makes a report that contains none of your conversations.',
    ],
    typefaces: 'Typefaces',
    typefacesText: 'The page is set in Literata and Figtree, under the SIL Open Font License.',
    licenceOf: (name: string) => `Licence of ${name}`,
  },
};
