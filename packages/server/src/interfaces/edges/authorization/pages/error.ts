import { oauthErrors, type Language, type OauthErrorName } from '@helioport/contract';
import { pageHtml, type PageHtml } from './html.ts';
import { layout } from './layout.ts';
import { texts } from './texts/texts.ts';

export interface ErrorPageFacts {
  readonly language: Language;
  readonly rawQuery: string;
  readonly reason: OauthErrorName;
  readonly requestId: string;
  /** Whether to offer to start the same request again: the page has expired, or was already submitted, perhaps with success. */
  readonly again: boolean;
}

export function errorPage({
  language,
  rawQuery,
  reason,
  requestId,
  again,
}: ErrorPageFacts): PageHtml {
  const t = texts[language].error;
  const { error, description, status } = oauthErrors[reason];
  const said = t.reasons[reason];
  return layout(
    { language, rawQuery, title: t.title },
    pageHtml`<h1>${t.title}</h1>
      <p role="alert">${said ?? t.lead}</p>
      ${again ? pageHtml`<p><a href="authorize?${rawQuery}">${t.again}</a></p>` : said !== undefined && status < 500 && pageHtml`<p class="lead">${t.lead}</p>`}
      ${
        // An expired page or a second submission is not worth reporting.
        !again &&
        pageHtml`<h2 class="small">${t.technical}</h2>
          <p class="small">
            <code>${error}</code>: ${description}<br />${t.requestId}: <code>${requestId}</code>
          </p>`
      }`,
  );
}
