import type { OauthErrorName, Scope } from '@helioport/contract';
import type { Language } from './languages.ts';

interface Texts {
  readonly language: string;
  readonly logIn: { title: string; lead: (application: string) => string; email: string; password: string; submit: string; wrong: string; throttled: string };
  readonly consent: {
    title: (application: string) => string;
    lead: (application: string) => string;
    homePage: string;
    callback: (host: string) => string;
    signedInAs: string;
    logOut: string;
    scopes: string;
    scope: Readonly<Record<Scope, readonly [name: string, meaning: string]>>;
    plants: string;
    allPlants: string;
    somePlants: string;
    noPlants: string;
    manyPlants: (shown: number) => string;
    ending: string;
    approve: string;
    deny: string;
    noScope: string;
    noPlant: string;
  };
  readonly error: { title: string; lead: string; technical: string; again: string; reasons: Partial<Record<OauthErrorName, string>> };
}

const en: Texts = {
  language: 'Language',
  logIn: {
    title: 'Sign in',
    lead: (application) => `to decide what ${application} may do with your solar plants`,
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'The e-mail address or the password is wrong.',
    throttled: 'Too many attempts. Please wait half a minute before the next one.',
  },
  consent: {
    title: (application) => `${application} asks for access`,
    lead: (application) => `You decide what ${application} may do with your solar plants. Untick what it shall not have.`,
    homePage: 'Home page',
    callback: (host) => `After your decision you go back to ${host}.`,
    signedInAs: 'Signed in as',
    logOut: 'Sign out',
    scopes: 'What it may do',
    scope: {
      access_data: ['Read data', 'see the plants and devices, their readings, energy figures and alarms'],
      control_device: ['Control devices', 'read and change settings of inverters, and switch them'],
    },
    plants: 'For which plants',
    allPlants: 'All plants that I own, now and later',
    somePlants: 'Only these plants',
    noPlants: 'You own no plants yet.',
    manyPlants: (shown) => `The first ${shown} plants are listed.`,
    ending: 'You can end this at any time; it then takes effect at once.',
    approve: 'Allow',
    deny: 'Deny',
    noScope: 'Tick at least one thing that it may do, or deny.',
    noPlant: 'Tick at least one plant, or deny.',
  },
  error: {
    title: 'This does not work',
    lead: 'You have not been sent on, because something about the request is wrong. Nothing was granted.',
    technical: 'For whoever runs the application',
    again: 'Start again',
    reasons: {
      applicationMissing: 'The request does not say which application it comes from.',
      applicationUnknown: 'The application is not known here, or is not approved.',
      callbackMissing: 'The request does not say where to go afterwards.',
      callbackMismatch: 'The address to go to afterwards is not the one that the application registered.',
      callbackUnencoded: 'The address to go to afterwards arrived incomplete.',
      pageExpired: 'This page was sent before, was open for too long, or belongs to another request.',
      internal: 'Something went wrong on our side.',
      unavailable: 'The service is not available at the moment. Please try again in some seconds.',
    },
  },
};

const de: Texts = {
  language: 'Sprache',
  logIn: {
    title: 'Anmelden',
    lead: (application) => `und entscheiden, was ${application} mit Ihren Solaranlagen tun darf`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    throttled: 'Zu viele Versuche. Bitte warten Sie eine halbe Minute bis zum nächsten.',
  },
  consent: {
    title: (application) => `${application} bittet um Zugriff`,
    lead: (application) =>
      `Sie entscheiden, was ${application} mit Ihren Solaranlagen tun darf. Entfernen Sie die Haken bei allem, was nicht erlaubt sein soll.`,
    homePage: 'Website',
    callback: (host) => `Nach Ihrer Entscheidung kehren Sie zu ${host} zurück.`,
    signedInAs: 'Angemeldet als',
    logOut: 'Abmelden',
    scopes: 'Was erlaubt sein soll',
    scope: {
      access_data: ['Daten lesen', 'Anlagen und Geräte, ihre Messwerte, Energiemengen und Alarme sehen'],
      control_device: ['Geräte steuern', 'Einstellungen von Wechselrichtern lesen und ändern, sie schalten'],
    },
    plants: 'Für welche Anlagen',
    allPlants: 'Alle Anlagen, die mir gehören, jetzt und später',
    somePlants: 'Nur diese Anlagen',
    noPlants: 'Ihnen gehört noch keine Anlage.',
    manyPlants: (shown) => `Aufgeführt sind die ersten ${shown} Anlagen.`,
    ending: 'Sie können den Zugriff jederzeit beenden; das wirkt sofort.',
    approve: 'Erlauben',
    deny: 'Ablehnen',
    noScope: 'Setzen Sie mindestens einen Haken bei dem, was erlaubt sein soll, oder lehnen Sie ab.',
    noPlant: 'Wählen Sie mindestens eine Anlage, oder lehnen Sie ab.',
  },
  error: {
    title: 'So geht es nicht',
    lead: 'Sie wurden nicht weitergeleitet, weil an der Anfrage etwas nicht stimmt. Es wurde nichts erlaubt.',
    technical: 'Für den Betreiber der Anwendung',
    again: 'Neu beginnen',
    reasons: {
      applicationMissing: 'Die Anfrage sagt nicht, von welcher Anwendung sie kommt.',
      applicationUnknown: 'Die Anwendung ist hier nicht bekannt oder nicht zugelassen.',
      callbackMissing: 'Die Anfrage sagt nicht, wohin es danach gehen soll.',
      callbackMismatch: 'Die Adresse, zu der es danach gehen soll, ist nicht die von der Anwendung hinterlegte.',
      callbackUnencoded: 'Die Adresse, zu der es danach gehen soll, kam unvollständig an.',
      pageExpired: 'Diese Seite wurde schon einmal abgeschickt, war zu lange offen oder gehört zu einer anderen Anfrage.',
      internal: 'Bei uns ist etwas schiefgegangen.',
      unavailable: 'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    },
  },
};

const es: Texts = {
  language: 'Idioma',
  logIn: {
    title: 'Iniciar sesión',
    lead: (application) => `para decidir qué puede hacer ${application} con sus plantas solares`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    throttled: 'Demasiados intentos. Espere medio minuto antes del siguiente.',
  },
  consent: {
    title: (application) => `${application} solicita acceso`,
    lead: (application) => `Usted decide qué puede hacer ${application} con sus plantas solares. Desmarque lo que no quiera permitir.`,
    homePage: 'Sitio web',
    callback: (host) => `Después de su decisión volverá a ${host}.`,
    signedInAs: 'Sesión iniciada como',
    logOut: 'Cerrar sesión',
    scopes: 'Qué podrá hacer',
    scope: {
      access_data: ['Leer datos', 'ver las plantas y los dispositivos, sus mediciones, energías y alarmas'],
      control_device: ['Controlar dispositivos', 'leer y cambiar ajustes de los inversores, y conectarlos o desconectarlos'],
    },
    plants: 'Para qué plantas',
    allPlants: 'Todas las plantas que poseo, ahora y en el futuro',
    somePlants: 'Solo estas plantas',
    noPlants: 'Todavía no posee ninguna planta.',
    manyPlants: (shown) => `Se muestran las primeras ${shown} plantas.`,
    ending: 'Puede terminar este acceso en cualquier momento, con efecto inmediato.',
    approve: 'Permitir',
    deny: 'Denegar',
    noScope: 'Marque al menos una cosa que podrá hacer, o deniegue.',
    noPlant: 'Marque al menos una planta, o deniegue.',
  },
  error: {
    title: 'Esto no funciona',
    lead: 'No se le ha redirigido porque hay algo incorrecto en la solicitud. No se ha permitido nada.',
    technical: 'Para quien gestiona la aplicación',
    again: 'Empezar de nuevo',
    reasons: {
      applicationMissing: 'La solicitud no dice de qué aplicación procede.',
      applicationUnknown: 'La aplicación no se conoce aquí o no está aprobada.',
      callbackMissing: 'La solicitud no dice adónde ir después.',
      callbackMismatch: 'La dirección a la que ir después no es la registrada por la aplicación.',
      callbackUnencoded: 'La dirección a la que ir después llegó incompleta.',
      pageExpired: 'Esta página ya se envió, estuvo abierta demasiado tiempo o pertenece a otra solicitud.',
      internal: 'Algo ha fallado por nuestra parte.',
      unavailable: 'El servicio no está disponible en este momento. Inténtelo de nuevo en unos segundos.',
    },
  },
};

const zh: Texts = {
  language: '语言',
  logIn: {
    title: '登录',
    lead: (application) => `以决定 ${application} 可以对您的光伏电站做什么`,
    email: '电子邮箱',
    password: '密码',
    submit: '登录',
    wrong: '电子邮箱或密码不正确。',
    throttled: '尝试次数过多，请等待半分钟后再试。',
  },
  consent: {
    title: (application) => `${application} 请求访问权限`,
    lead: (application) => `由您决定 ${application} 可以对您的光伏电站做什么。请取消勾选不允许的项目。`,
    homePage: '网站',
    callback: (host) => `作出决定后，您将返回 ${host}。`,
    signedInAs: '当前登录账号',
    logOut: '退出登录',
    scopes: '允许的操作',
    scope: {
      access_data: ['读取数据', '查看电站和设备及其测量值、发电量和告警'],
      control_device: ['控制设备', '读取和更改逆变器的设置，以及开关逆变器'],
    },
    plants: '适用的电站',
    allPlants: '我现在和以后拥有的所有电站',
    somePlants: '仅限以下电站',
    noPlants: '您目前没有电站。',
    manyPlants: (shown) => `仅列出前 ${shown} 个电站。`,
    ending: '您可以随时终止授权，立即生效。',
    approve: '允许',
    deny: '拒绝',
    noScope: '请至少勾选一项允许的操作，或选择拒绝。',
    noPlant: '请至少勾选一个电站，或选择拒绝。',
  },
  error: {
    title: '无法继续',
    lead: '请求存在问题，因此没有为您跳转。没有授予任何权限。',
    technical: '供应用运营方参考',
    again: '重新开始',
    reasons: {
      applicationMissing: '请求没有说明来自哪个应用。',
      applicationUnknown: '这里没有登记该应用，或该应用未获批准。',
      callbackMissing: '请求没有说明之后跳转到哪里。',
      callbackMismatch: '之后要跳转的地址不是该应用登记的地址。',
      callbackUnencoded: '之后要跳转的地址不完整。',
      pageExpired: '此页面已提交过、打开时间过长，或属于另一个请求。',
      internal: '我们这边出了问题。',
      unavailable: '服务暂时不可用，请几秒钟后重试。',
    },
  },
};

/** The pages' words. */
export const texts: Readonly<Record<Language, Texts>> = { en, de, es, zh };
