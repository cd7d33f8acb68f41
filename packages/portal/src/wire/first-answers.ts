import type { QueryClient } from '@tanstack/react-query';
import { keep } from './kept-answers.ts';

interface FirstAnswer {
  readonly operation: string;
  readonly request: unknown;
  readonly data: unknown;
}

/** Takes over the answers that came with the page, so that they need not be asked for. To be called once it is known whose they are, so that they can be kept. */
export function takeFirstAnswers(client: QueryClient): void {
  const found: unknown = JSON.parse(document.querySelector('#answers')?.textContent ?? 'null');
  for (const { operation, request, data } of Array.isArray(found) ? (found as FirstAnswer[]) : []) {
    client.setQueryData([operation, request], data);
    keep(operation, request, data);
  }
}
