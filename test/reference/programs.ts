/** A program that stands on a reference page. */
export interface Program {
  /** Id of the section that it stands in. */
  readonly section: string;
  readonly language: 'curl' | 'Python' | 'TypeScript';
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** All programs of a page, as a reader would copy them. */
export async function programsOf(url: string): Promise<Program[]> {
  const page = await (await fetch(`${url}/reference`)).text();
  return page.split('<section id="').flatMap((part) => {
    const section = part.slice(0, part.indexOf('"'));
    const found = part.matchAll(/<pre data-language="(curl|Python|TypeScript)"><code>([\s\S]*?)<\/code><\/pre>/g);
    return [...found].map(([, language, text]) => ({
      section,
      language: language as Program['language'],
      text: text!.replaceAll(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity]!),
    }));
  });
}
