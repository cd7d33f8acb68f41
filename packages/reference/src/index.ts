export { applicationReference, type ApplicationReferenceOptions } from './application-reference.ts';
export { guidePage } from './guide-page.ts';
export { operationsPage } from './operations-page.ts';
export type { ReferencePage } from './page.ts';
export type { RequestValues } from './requests.ts';
export { userReference, type UserReferenceOptions } from './user-reference.ts';
