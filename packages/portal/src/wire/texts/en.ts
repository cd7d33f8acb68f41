const en = {
  asking:
    'The connection broke before the answer came. We do not know yet whether the change was made, and are asking the server.',
  carriedOut: 'The change was made. Only the answer was lost.',
  carriedOutUnseen:
    'The change was made, but its answer was lost. If it was to show a secret, such as a key, make a new one.',
  notCarriedOut: 'The change did not reach the server. Nothing was changed.',
  unknown: 'We could not find out whether the change was made. Please look before you try again.',
};
export type Texts = typeof en;
export default en;
