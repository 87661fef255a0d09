import type { Finding, ScenarioContent, Sign } from '@parley/shared/contracts';
import { knowsLanguage, matchSigns, readingOf } from '@parley/shared/engine';
import { contentIn, type TranslatedScenario } from '../catalogue/compile-pack';
import { reportAt, type Keys } from '../import/validating/file-report';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { partsOf } from '../import/validating/references';
import { whyNoLineHas } from './contradicting-signs';

/** An echo needs the other's line, which an exemplar does not have: such moves are proven in play only. */
const needsTheTalk = (signs: readonly Sign[]): boolean =>
  signs.some(
    (sign) =>
      sign.echo !== undefined ||
      sign.line !== undefined ||
      needsTheTalk([...(sign.any ?? []), ...(sign.all ?? []), ...(sign.not === undefined ? [] : [sign.not])]),
  );

/** A finding about a member of the scenario, where its author wrote it. */
type Report = (keys: Keys, input: Parameters<typeof reportAt>[2]) => Finding;

/**
 * Every exemplar must make the move that it is an example of, or learners are shown a line that would not count.
 * @param content of any language of the scenario
 */
export function checkExemplars(content: ScenarioContent, report: Report): Finding[] {
  return content.moves.flatMap((move, index) => {
    if (move.signs.length === 0 || needsTheTalk(move.signs) || !knowsLanguage(move.signs, content.language)) return [];
    return move.exemplars.flatMap((exemplar, place) => {
      const context = { content, language: content.language, line: 1, turn: 2, lastNpcLine: null, earlierLines: [] };
      // As a line is judged, but for this one move: a pack of many scenarios has thousands of them.
      const reading = readingOf(context, exemplar);
      const made = !reading.stuffed && matchSigns(move.signs, reading).holds;
      return made
        ? []
        : [
            report(['moves', index, 'exemplars', place], {
              severity: 'warning',
              rule: 'lint.exemplar',
              message: `This line does not make the move ${move.id}: its signs are not all in it.`,
              hint: 'Change the line, or the signs.',
            }),
          ];
    });
  });
}

/** Signs that no line can have: a move, flag or check that is there and never counts, a demo line that is never said. */
function checkSatisfiable(pack: LoadedPack, scenario: LoadedFile<'scenario'>, content: ScenarioContent): Finding[] {
  const { rubric } = partsOf(pack, scenario);
  const warn = (file: LoadedFile, keys: Keys, id: string, signs: readonly Sign[] | null): Finding[] => {
    const reason = signs === null ? null : whyNoLineHas(signs, content.duration.max_turns);
    if (reason === null) return [];
    return [
      reportAt(file, keys, {
        severity: 'warning',
        rule: 'lint.unprovable',
        message: `No line can have the signs of ${id}: ${reason}.`,
        hint: 'Take one of the two out, or put them under any.',
      }),
    ];
  };
  return [
    ...content.moves.flatMap((move, index) => warn(scenario, ['moves', index, 'signs'], move.id, move.signs)),
    ...Object.entries(content.flags).flatMap(([id, flag]) => warn(scenario, ['flags', id, 'signs'], id, flag.signs)),
    ...content.demo.flatMap(({ signs }, index) => warn(scenario, ['demo', index, 'signs'], `demo[${index}]`, signs)),
    ...(rubric === undefined
      ? []
      : content.rubric.dimensions.flatMap((dimension, index) =>
          (['checks', 'faults'] as const).flatMap((kind) =>
            dimension[kind].flatMap((check, place) =>
              warn(rubric, ['dimensions', index, kind, place, 'signs'], check.id, check.signs),
            ),
          ),
        )),
  ];
}

/** Where the signs do not know a language of the pack, only the model can tell, and scores depend on it. */
function checkLanguages(pack: LoadedPack, scenario: LoadedFile<'scenario'>, compiled: TranslatedScenario): Finding[] {
  const { content } = compiled;
  const unknownIn = (signsOf: (translation: ScenarioContent) => readonly Sign[] | null | undefined): string[] =>
    content.languages.filter((language) => {
      const signs = signsOf(contentIn(compiled, language)) ?? [];
      return signs.length > 0 && !knowsLanguage(signs, language);
    });
  const warn = (file: LoadedFile, keys: Keys, id: string, languages: readonly string[]): Finding[] =>
    languages.length === 0
      ? []
      : [
          reportAt(file, keys, {
            severity: 'warning',
            rule: 'lint.sign-language',
            message: `The signs of ${id} do not know ${languages.join(', ')}: there only the model can tell.`,
            hint: 'Use signs that know these languages, or accept that a model judges it.',
            atKey: true,
          }),
        ];
  const { rubric } = partsOf(pack, scenario);
  return [
    ...content.moves.flatMap((move, index) =>
      warn(
        scenario,
        ['moves', index],
        move.id,
        unknownIn(({ moves }) => moves[index]?.signs),
      ),
    ),
    ...Object.keys(content.flags).flatMap((id) =>
      warn(
        scenario,
        ['flags', id],
        id,
        unknownIn(({ flags }) => flags[id]?.signs),
      ),
    ),
    ...(rubric === undefined
      ? []
      : content.rubric.dimensions.flatMap((dimension, index) =>
          dimension.checks.flatMap((check, place) =>
            warn(
              rubric,
              ['dimensions', index, 'checks', place],
              check.id,
              unknownIn(({ rubric: { dimensions } }) => dimensions[index]?.checks[place]?.signs),
            ),
          ),
        )),
  ];
}

/** A rubric where some dimensions have checks and others none scores by two rules at once. */
function checkMixed(pack: LoadedPack, scenario: LoadedFile<'scenario'>, content: ScenarioContent): Finding[] {
  const { rubric } = partsOf(pack, scenario);
  const bare = content.rubric.dimensions.flatMap(({ checks }, index) => (checks.length === 0 ? [index] : []));
  if (rubric === undefined || bare.length === 0 || bare.length === content.rubric.dimensions.length) return [];
  return bare.map((index) =>
    reportAt(rubric, ['dimensions', index], {
      severity: 'warning',
      rule: 'lint.no-checks',
      message: `${content.rubric.dimensions[index]?.id ?? ''} has no checks: its score depends on the model that plays.`,
      hint: 'Give it checks as the other dimensions have.',
    }),
  );
}

/** What never happens is proven by nothing: it needs the move after which it counts. */
function checkAbsences(pack: LoadedPack, scenario: LoadedFile<'scenario'>, content: ScenarioContent): Finding[] {
  const { rubric } = partsOf(pack, scenario);
  if (rubric === undefined) return [];
  return content.rubric.dimensions.flatMap((dimension, index) =>
    dimension.checks.flatMap((check, place) =>
      check.without_flag !== null && check.after_move === null
        ? [
            reportAt(rubric, ['dimensions', index, 'checks', place], {
              severity: 'warning',
              rule: 'lint.check-absence',
              message: `The check ${check.id} is met by saying nothing.`,
              hint: 'Add after_move: the move after which the flag must stay away.',
            }),
          ]
        : [],
    ),
  );
}

/** What can be proved of how a scenario is judged, without a model. */
export function proveJudging(
  pack: LoadedPack,
  scenario: LoadedFile<'scenario'>,
  compiled: TranslatedScenario,
): Finding[] {
  const { content } = compiled;
  return [
    ...checkExemplars(content, (keys, input) => reportAt(scenario, keys, input)),
    ...checkSatisfiable(pack, scenario, content),
    ...checkLanguages(pack, scenario, compiled),
    ...checkMixed(pack, scenario, content),
    ...checkAbsences(pack, scenario, content),
  ];
}
