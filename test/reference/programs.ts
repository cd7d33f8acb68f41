import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** A program that stands on a reference page. */
export interface Program {
  /** Id of the section that it stands in. */
  readonly section: string;
  /** `sh`: commands that come before or between the requests. */
  readonly language: 'curl' | 'Python' | 'TypeScript' | 'sh';
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** All programs of a page, as a reader would copy them. */
export async function programsOf(url: string): Promise<Program[]> {
  const page = await (await fetch(`${url}/reference`)).text();
  return page.split('<section id="').flatMap((part) => {
    const section = part.slice(0, part.indexOf('"'));
    const found = part.matchAll(
      /<pre data-language="(curl|Python|TypeScript|sh)"><code>([\s\S]*?)<\/code><\/pre>/g,
    );
    return [...found].map(([, language, text]) => ({
      section,
      language: language as Program['language'],
      text: text!
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity]!),
    }));
  });
}

const run = promisify(execFile);

const commands = { curl: ['curl', 'openssl'], Python: ['python3'], TypeScript: [] } as const;
const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, [command === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** The languages of the programs, and whether this machine lacks what one needs. */
export const languages = (['curl', 'Python', 'TypeScript'] as const).map((language) => {
  const missing = commands[language].filter((command) => !isInstalled(command));
  if (missing.length > 0)
    console.log(
      `skipped: the reference's programs in ${language} (${missing.join(', ')} not installed)`,
    );
  return [language, missing.length > 0] as const;
});

let interpreter: string | undefined;
/** Where Python itself is: what stands on the path may be a script that looks for it, and takes longer than our programs. */
const python = (): string =>
  (interpreter ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim());

/** Runs a program as it stands on the page, and reads its answer. */
export const runProgram = async (
  program: Pick<Program, 'language' | 'text'>,
  environment: Record<string, string>,
): Promise<any> => JSON.parse(await outputOf(program, environment));

/** Runs a program as it stands on the page. */
export async function outputOf(
  { language, text }: Pick<Program, 'language' | 'text'>,
  environment: Record<string, string>,
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const { stdout } =
    language === 'curl' || language === 'sh'
      ? await run('sh', ['-c', text], { env })
      : language === 'Python'
        ? await run(python(), ['-I', '-c', text], { env })
        : await run(process.execPath, ['--input-type=module-typescript', '-e', text], { env });
  return stdout;
}
