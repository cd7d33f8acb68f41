import type { OauthErrorName, Scope } from '@helioport/contract';

/** What the pages say, in one language. */
export interface PageTexts {
  readonly language: string;
  readonly logIn: {
    title: string;
    lead: (application: string) => string;
    email: string;
    password: string;
    showPassword: string;
    hidePassword: string;
    submit: string;
    wrong: string;
    throttled: string;
    passkey: string;
    forgotten: string;
    noAccount: string;
  };
  readonly secondStep: {
    title: string;
    lead: string;
    leadPasskey: string;
    code: string;
    recoveryCode: string;
    hint: string;
    submit: string;
    passkey: string;
    again: string;
    wrong: string;
    wrongPasskey: string;
    throttled: string;
  };
  readonly consent: {
    title: (application: string) => string;
    lead: (application: string) => string;
    says: (application: string) => string;
    homePage: string;
    returnTo: (host: string) => string;
    signedInAs: string;
    logOut: string;
    scopes: string;
    scope: Readonly<Record<Scope, readonly [name: string, meaning: string]>>;
    plants: string;
    allPlants: string;
    somePlants: string;
    noPlants: string;
    filter: string;
    tickListed: string;
    clearListed: string;
    /** `{ticked}` and `{plants}` stand for numbers. */
    ticked: string;
    manyPlants: (shown: number) => string;
    ending: string;
    endingYourself: string;
    /** The link after it. */
    toAuthorizations: string;
    approve: string;
    deny: string;
    noScope: string;
    noPlant: string;
  };
  readonly error: {
    title: string;
    lead: string;
    technical: string;
    requestId: string;
    again: string;
    reasons: Partial<Record<OauthErrorName, string>>;
  };
}
