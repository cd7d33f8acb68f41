import type { Texts } from './en.ts';

const de: Texts = {
  asking:
    'Die Verbindung brach ab, bevor die Antwort kam. Ob die Änderung gemacht wurde, ist noch nicht bekannt; der Server wird gefragt.',
  carriedOut: 'Die Änderung wurde gemacht. Nur die Antwort ging verloren.',
  carriedOutUnseen:
    'Die Änderung wurde gemacht, aber die Antwort ging verloren. Sollte sie ein Geheimnis zeigen, etwa einen Schlüssel, erzeugen Sie bitte einen neuen.',
  notCarriedOut: 'Die Änderung kam nicht beim Server an. Es wurde nichts geändert.',
  unknown:
    'Ob die Änderung gemacht wurde, ließ sich nicht herausfinden. Bitte sehen Sie nach, bevor Sie es noch einmal versuchen.',
};
export default de;
