import type { Language } from '@helioport/contract';
import type { Account } from '../../identity/accounts/accounts.ts';
import type { Letter } from '../../identity/mail/letter.ts';
import type { Instant } from '../../platform/storage/database.ts';

interface Words {
  readonly closed: {
    readonly subject: string;
    readonly paragraphs: (day: string) => readonly string[];
    readonly footer: string;
  };
  readonly unshared: {
    readonly subject: string;
    readonly paragraphs: (plants: string) => readonly string[];
    readonly footer: string;
  };
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    closed: {
      subject: 'Your account is closed',
      paragraphs: (day) => [
        'Your account was closed: nobody can sign in with it, and all access by it has ended.',
        `On ${day}, everything personal is removed for good. Until then, the operator can take this back; if it was not you, please write to the operator now.`,
      ],
      footer: 'You get this because the account with this address was closed.',
    },
    unshared: {
      subject: 'Plants are no longer shared with you',
      paragraphs: (plants) => [
        `The owner of these plants has closed the account, so you no longer see them: ${plants}.`,
      ],
      footer: 'You get this because these plants were shared with your account.',
    },
  },
  de: {
    closed: {
      subject: 'Ihr Konto ist geschlossen',
      paragraphs: (day) => [
        'Ihr Konto wurde geschlossen: Niemand kann sich mehr damit anmelden, und jeder Zugriff darüber ist beendet.',
        `Am ${day} wird alles Persönliche endgültig entfernt. Bis dahin kann der Betreiber das Schließen zurücknehmen; wenn Sie es nicht waren, schreiben Sie ihm bitte sofort.`,
      ],
      footer: 'Sie bekommen dies, weil das Konto mit dieser Adresse geschlossen wurde.',
    },
    unshared: {
      subject: 'Anlagen werden nicht mehr mit Ihnen geteilt',
      paragraphs: (plants) => [
        `Der Eigentümer dieser Anlagen hat sein Konto geschlossen; Sie sehen sie daher nicht mehr: ${plants}.`,
      ],
      footer: 'Sie bekommen dies, weil diese Anlagen mit Ihrem Konto geteilt waren.',
    },
  },
  es: {
    closed: {
      subject: 'Su cuenta está cerrada',
      paragraphs: (day) => [
        'Su cuenta se ha cerrado: nadie puede iniciar sesión con ella y ha terminado todo acceso a través de ella.',
        `El ${day} se eliminará definitivamente todo lo personal. Hasta entonces, el operador puede deshacerlo; si no ha sido usted, escríbale enseguida.`,
      ],
      footer: 'Recibe este mensaje porque se ha cerrado la cuenta con esta dirección.',
    },
    unshared: {
      subject: 'Ya no se comparten plantas con usted',
      paragraphs: (plants) => [
        `El propietario de estas plantas ha cerrado su cuenta, por lo que usted ya no las ve: ${plants}.`,
      ],
      footer: 'Recibe este mensaje porque estas plantas se compartían con su cuenta.',
    },
  },
  zh: {
    closed: {
      subject: '您的账户已关闭',
      paragraphs: (day) => [
        '您的账户已关闭：任何人都无法再用它登录，通过它的所有访问均已终止。',
        `所有个人数据将于${day}永久删除。在此之前，管理员可以撤销关闭；如果不是您本人操作，请立即联系管理员。`,
      ],
      footer: '您收到此邮件，是因为使用此地址的账户已关闭。',
    },
    unshared: {
      subject: '部分电站不再与您共享',
      paragraphs: (plants) => [`以下电站的业主已关闭账户，因此您无法再查看：${plants}。`],
      footer: '您收到此邮件，是因为这些电站曾与您的账户共享。',
    },
  },
};

type Reader = Pick<Account, 'language' | 'timeZone'>;

const languageOf = ({ language }: Reader): Language => language ?? 'en';

/** The letter to a person whose account was closed. */
export function closedLetter(reader: Reader, removeAt: Instant): Letter {
  const language = languageOf(reader);
  const { paragraphs, ...texts } = words[language].closed;
  const day = new Intl.DateTimeFormat(language, {
    timeZone: reader.timeZone,
    dateStyle: 'long',
  }).format(removeAt);
  return { language, ...texts, paragraphs: paragraphs(day) };
}

/** The letter to a person with whom `count` plants were shared, of which the first are named. */
export function unsharedLetter(reader: Reader, plants: readonly string[], count: number): Letter {
  const language = languageOf(reader);
  const { paragraphs, ...texts } = words[language].unshared;
  const named = plants.join(', ');
  return {
    language,
    ...texts,
    paragraphs: paragraphs(count > plants.length ? `${named} … (${count})` : named),
  };
}
