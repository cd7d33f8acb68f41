export { createBearerClient, type BearerClientOptions } from './bearer-client.ts';
export type { CallOptions } from './caller.ts';
export { createClient, type Client, type ClientOptions, type RecordOf } from './client.ts';
export { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
export type { Controlled, ControlRequest } from './control.ts';
export { HelioportError } from './error.ts';
export { readEvents, type ReceivedEvent } from './forwarding/event.ts';
export {
  createReceiver,
  type Cursor,
  type Gap,
  type Missing,
  type Receiver,
  type ReceiverOptions,
  type SequenceState,
} from './forwarding/receiver.ts';
export { createReplay, type ReplayOptions } from './forwarding/replay.ts';
export {
  readWebhook,
  WebhookError,
  type WebhookOptions,
  type WebhookRequest,
} from './forwarding/webhook.ts';
export {
  createOAuth,
  createPkce,
  type AuthorizationRequest,
  type OAuth,
  type OAuthOptions,
  type Tokens,
} from './oauth.ts';
export type { Page } from './pages.ts';
export { contentMd5, signatureOf, signRequest, type RequestToSign, type Signed } from './signer.ts';
export type { TokenStore } from './token-keeper.ts';
