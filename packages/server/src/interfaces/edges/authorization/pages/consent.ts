import { scopes as registry } from '@helioport/contract';
import type { Application } from '../../../../identity/oauth/applications.ts';
import { scopesOf } from '../../../../identity/oauth/scopes.ts';
import type { Browser } from '../browser.ts';
import { pageHtml, type PageHtml } from './html.ts';
import { layout } from './layout.ts';
import { texts } from './texts/texts.ts';

/** Maximum number of plants on a page; owners of more plants select all of theirs, or some of those shown. */
export const PLANTS_LISTED = 1000;

/** Number of plants that can be taken in at a glance; longer lists have a filter. */
const PLANTS_AT_A_GLANCE = 7;

export interface ConsentForm {
  readonly browser: Browser;
  readonly application: Application;
  readonly email: string;
  readonly ticket: string;
  readonly logOutToken: string;
  /** Bits of the scopes that are asked for, and of those that are ticked. */
  readonly asked: number;
  readonly scopes: number;
  readonly plants: readonly { readonly id: string; readonly name: string }[];
  /** null = all. */
  readonly plantIds: readonly string[] | null;
  /** Where people end authorizations themselves; undefined = the operator ends them. */
  readonly authorizationsUrl: string | undefined;
  readonly fault?: 'noScope' | 'noPlant';
}

export function consentPage(form: ConsentForm): PageHtml {
  const { browser, application, fault } = form;
  const t = texts[browser.language].consent;
  const title = t.title(application.name);
  return layout(
    { ...browser, title },
    pageHtml`<h1>${title}</h1>
      <p class="lead">${t.lead(application.name)}</p>
      ${application.purpose !== '' && pageHtml`<p class="purpose">${t.says(application.name)} <q>${application.purpose}</q></p>`}
      <div class="who small">
        <span>${t.signedInAs} <strong>${form.email}</strong></span>
        <form method="post" action="log-out?${browser.rawQuery}">
          <input type="hidden" name="token" value="${form.logOutToken}" /><button
            class="link"
            type="submit"
          >
            ${t.logOut}
          </button>
        </form>
      </div>
      ${fault && pageHtml`<p class="fault" role="alert" id="fault">${t[fault]}</p>`}
      <form method="post" action="consent?${browser.rawQuery}">
        <input type="hidden" name="ticket" value="${form.ticket}" />
        ${scopeChoice(form)} ${plantChoice(form)}
        <p class="small">
          ${application.homePage !== null && pageHtml`${t.homePage}: <a href="${application.homePage}" rel="noreferrer noopener">${application.homePage}</a><br />`}${t.returnTo(new URL(application.redirectUri).host)}
        </p>
        <p class="small">${ending(form)}</p>
        <div class="actions">
          <button class="main" type="submit" name="decision" value="approve">${t.approve}</button
          ><button type="submit" name="decision" value="deny">${t.deny}</button>
        </div>
      </form>`,
  );
}

function ending({ browser, authorizationsUrl }: ConsentForm): PageHtml {
  const t = texts[browser.language].consent;
  if (authorizationsUrl === undefined) return pageHtml`${t.ending}`;
  return pageHtml`${t.endingYourself}
    <a href="${authorizationsUrl}" target="_blank" rel="noopener">${t.toAuthorizations}</a>`;
}

function scopeChoice({ browser, asked, scopes, fault }: ConsentForm): PageHtml {
  const t = texts[browser.language].consent;
  return pageHtml`<fieldset${fault === 'noScope' && pageHtml` aria-describedby="fault"`}><legend>${t.scopes}</legend>
${scopesOf(asked).map((scope) => {
  const [name, meaning] = t.scope[scope];
  return pageHtml`<label class="choice${scope === 'control_device' && pageHtml` warning`}"
    ><input
      type="checkbox"
      name="scope"
      value="${scope}"
      ${(scopes & registry[scope].bit) !== 0 && pageHtml` checked`}
    /><span><strong>${name}</strong><span>${meaning}</span></span></label
  > `;
})}</fieldset>`;
}

function plantChoice({ browser, plants, plantIds, fault }: ConsentForm): PageHtml {
  const t = texts[browser.language].consent;
  // Without plants there is nothing to choose among.
  const chosen = plantIds === null || plants.length === 0 ? 'all' : 'some';
  const radio = (value: 'all' | 'some', text: string): PageHtml =>
    pageHtml`<label class="choice"
      ><input
        type="radio"
        name="plants"
        value="${value}"
        ${value === chosen && pageHtml` checked`}
      /><span>${text}</span></label
    > `;
  return pageHtml`<fieldset${fault === 'noPlant' && pageHtml` aria-describedby="fault"`}><legend>${t.plants}</legend>
${radio('all', t.allPlants)}${plants.length === 0 ? pageHtml`<p class="small">${t.noPlants}</p>` : radio('some', t.somePlants)}
${
  plants.length > PLANTS_AT_A_GLANCE &&
  pageHtml`<div class="tools" hidden data-plant-tools>
    <label for="plant-filter">${t.filter}</label>
    <input type="search" id="plant-filter" autocomplete="off" />
    <p class="small">
      <button class="link" type="button" data-all>${t.tickListed}</button>
      <button class="link" type="button" data-none>${t.clearListed}</button>
      <span role="status" data-text="${t.ticked}"></span>
    </p>
  </div>`
}${
    plants.length > 0 &&
    pageHtml`<ul class="plants">
      ${plants.map(
        ({ id, name }) =>
          pageHtml`<li>
            <label class="choice"
              ><input
                type="checkbox"
                name="plant"
                value="${id}"
                ${plantIds?.includes(id) && pageHtml` checked`}
              /><span>${name}</span></label
            >
          </li> `,
      )}
    </ul>`
  }
${plants.length >= PLANTS_LISTED && pageHtml`<p class="small">${t.manyPlants(PLANTS_LISTED)}</p>`}</fieldset>`;
}
