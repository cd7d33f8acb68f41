// Letters of other scripts that are drawn like a Latin one, each beside it. After Unicode's confusables (UTS 39), for the scripts that are in use.
const DRAWN_ALIKE =
  'аa ɑa αa Αa ԁd ɗd еe ҽe єe εe Εe ԍg ɡg һh հh нh Нh Ηh іi їi ɩi ıi ιi Ιi јj ϳj κk кk Κk Кk ӏl Ӏl łl мm Мm Μm пn ηn ոn Νn оo οo օo σo Οo Оo øo рp ρp ΡpРp ԛq զq гr ѕs Ѕs тt τt Тt Τt цu υu սu ѵv νv ԝw ωw шw хx χx Хx Χx уy γy ΥyУy Үy үy ΖzΖz ζz вb Вb Βb βb ьb сc ϲc Сc đd ħh ŧt æae œoe ßss';

const latin = new Map(
  [...DRAWN_ALIKE.replaceAll(' ', '').matchAll(/([^a-z])([a-z]{1,2})/gu)].map(
    ([, letter, drawn]) => [letter!, drawn!],
  ),
);

/** What a hurried reader takes a name for: without its spaces, marks and case, each letter as the Latin one that it is drawn like. */
export function lookOf(name: string): string {
  const plain = [...name.normalize('NFKD')]
    .map((letter) => latin.get(letter) ?? latin.get(letter.toLowerCase()) ?? letter.toLowerCase())
    .join('')
    .normalize('NFKD');
  const look = plain
    .replaceAll(/[0o]/g, 'o')
    .replaceAll(/[1il|]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  // Of signs alone.
  return look === '' ? name.normalize('NFKC') : look;
}

const OUR_LOOK = lookOf('Helioport');

/** Whether a name could pass for this service itself. */
export const looksLikeUs = (name: string): boolean => lookOf(name).includes(OUR_LOOK);

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Georgian', 'Coptic'];
const words = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));

/** Whether a name has what nobody sees, or a word of letters from several scripts whose letters are drawn alike. UTS 39 5.1 */
export const isDisguised = (name: string): boolean =>
  /\p{Default_Ignorable_Code_Point}|\u2800/u.test(name) ||
  name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => words.filter((script) => script.test(word)).length > 1);
