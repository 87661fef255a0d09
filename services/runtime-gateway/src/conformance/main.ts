import { parseArgs } from 'node:util';
import { formatReport, type ReportFormat } from './format-report';
import { runConformance } from './run-conformance';
import { startScriptedModel, type Dialect } from './scripted-model';

const USAGE = `Holds a gateway against its contract.

  npm run gateway:conformance -- --url http://127.0.0.1:7360 [--json | --tap]
                                 [--model openai:PORT | --model native:PORT] [--stall SECONDS]

--model  starts a scripted model server on that port; start the gateway so that it talks to it. Then errors, lost
         connections, cancelling and back-pressure are checked as well.
--stall  the quiet time that the gateway was started with: then silence is checked too.

Exit code 0: it conforms. 1: it does not. 2: wrong use.
`;

interface Wish {
  readonly url: string;
  readonly format: ReportFormat;
  readonly model: { dialect: Dialect; port: number } | null;
  readonly stallSeconds: number | null;
}

/** @throws Error with one line for a person. */
function readWish(): Wish {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      json: { type: 'boolean' },
      tap: { type: 'boolean' },
      model: { type: 'string' },
      stall: { type: 'string' },
    },
  });
  if (values.url === undefined || !URL.canParse(values.url)) throw new Error('--url must be the address of a gateway.');
  const model = values.model === undefined ? null : /^(openai|native):(\d{1,5})$/.exec(values.model);
  if (values.model !== undefined && model === null) throw new Error('--model must be openai:PORT or native:PORT.');
  const stall = values.stall === undefined ? null : Number(values.stall);
  if (stall !== null && !(stall > 0)) throw new Error('--stall must be a number of seconds.');
  return {
    url: values.url,
    format: values.json === true ? 'json' : values.tap === true ? 'tap' : 'text',
    model: model === null ? null : { dialect: model[1] as Dialect, port: Number(model[2]) },
    stallSeconds: stall,
  };
}

async function main(): Promise<number> {
  let wish: Wish;
  try {
    wish = readWish();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const model = wish.model === null ? null : await startScriptedModel(wish.model.dialect, wish.model.port);
  try {
    const report = await runConformance({ url: wish.url, model, stallSeconds: wish.stallSeconds });
    process.stdout.write(formatReport(report, wish.format));
    return report.passed ? 0 : 1;
  } finally {
    await model?.close();
  }
}

void main().then((code) => {
  process.exitCode = code;
});
