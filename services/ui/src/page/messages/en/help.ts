/** The help page: how everything works, in the order in which one meets it. */
export const help = {
  help: {
    title: 'Help',
    intro: 'Parley is a rehearsal room: you have a hard conversation here first, and read afterwards what it did.',
    talk: 'How a talk works',
    talkText: [
      'Choose a scenario in the library. It tells you who you are, whom you meet and what you want. Press Begin, and the character speaks first. Then you take turns: write what you would really say, and press Enter.',
      'A talk is over when you have what you came for, when the other has had enough, when your lines are used up, or when you press End the talk. Nobody is hurt by what you try here.',
      'The words at the top of the page say who plays the character. The demo voice answers with prepared lines and does not understand you; a model does. Where a model’s answer could not be used, a stand-in line takes its place and is marked as one.',
    ],
    meters: 'The meters',
    metersText: [
      'Beside the character stand meters such as trust or patience: how the talk stands for the other. After each turn they show by how much they moved, for example Trust 56 ▲6.',
      'What you do in the talk moves them more than kind words. Some scenarios keep a meter hidden while you play; the letter shows it.',
    ],
    hints: 'Hints',
    hintsText: [
      'When the scenario has a hint for this moment, Show a hint stands below the meters. Reading it costs nothing: it changes no meter and no score.',
    ],
    retry: 'Trying again',
    retryText: [
      'Each of your lines has a Retry button on the stage, and the letter has one where it would pay most. It starts a new talk at that line, with everything as it stood then; the talk you had stays as it is. That needs a kept transcript.',
      'When a talk is over, you can go back to the line that decided it, or to any that the letter names, and say it again: three tries, each with what it meets and what is missing. From any of them you can play on.',
      'At the easiest difficulty you can choose coaching: then Check this line says what a line would lack before you send it. Coached talks are counted apart.',
      'Retries are practice. Progress shows them apart from first attempts, which say what you can do unaided.',
    ],
    letter: 'The letter afterwards',
    letterText: [
      'When a talk is over, you can rate yourself first: the gap between your view and the score is worth knowing. Then you read a letter: what to do next time, what worked, where the talk turned, and last the scores with the lines that they rest on.',
      'A letter always comes, also without a model.',
      'Below it you can write one plan for the real talk: when …, I will say …. It stays in this browser, stands in the library, and is asked about once, a week later.',
    ],
    data: 'Where your data is',
    dataText: [
      'Everything stays in Parley’s data folder on this machine; npm run doctor says where it is, and SIM_DATA_DIR names another. Nothing that is said is sent anywhere, apart from the model server that you connect yourself.',
      'In the settings you can have transcripts not kept at all. In the history you can delete one talk, or everything.',
    ],
    keyboard: 'With the keyboard',
    keys: [
      [['Enter'], 'Sends what you typed, or presses the button that has the focus.'],
      [['Ctrl+Enter'], 'In a coached talk: checks what you typed before it is said.'],
      [['Shift+Enter'], 'Starts a new line in what you type.'],
      [
        ['Tab', 'Shift+Tab'],
        'Go to the next and the previous thing that can be used. The first one on each page skips to its content.',
      ],
      [['Escape'], 'Closes a question without an answer.'],
      [['↑', '↓'], 'Scroll the transcript while it has the focus, and move a slider or a choice.'],
    ] as readonly (readonly [readonly string[], string])[],
    trouble: 'When something does not work',
    troubleText: [
      'The words at the top of the page say when a part of Parley does not answer, and what to do. The diagnostics list every part, what went wrong lately, and make a report without a word of your talks.',
    ],
    typefaces: 'Typefaces',
    typefacesText: 'The page is set in Literata and Figtree, under the SIL Open Font License.',
    licenceOf: (name: string) => `Licence of ${name}`,
  },
};
