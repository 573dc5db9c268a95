import type { SIGN_IN_EN } from './sign-in-en.ts'

export const SIGN_IN_DE: typeof SIGN_IN_EN = {
  signIn: {
    title: 'Anmelden',
    text: (publisher: string) => `Zu Ihren Prämien bei ${publisher}.`,
    button: 'Anmelden',
    password: 'Passwort',
    forgotten: 'Passwort vergessen?',
    forgottenText:
      'Nennen Sie die Adresse, mit der Sie sich anmelden. Wir schicken Ihnen einen Link für ein neues Passwort.',
    send: 'Link schicken',
    mailed: 'Sehen Sie in Ihr Postfach',
    mailedText: (email: string) =>
      `Wenn sich hier jemand mit ${email} anmeldet, ist eine E-Mail unterwegs. Der Link gilt einmal, eine Stunde lang.`,
    newPassword: 'Neues Passwort',
    passwordHelp: 'Mindestens 12 Zeichen. Mehrere Wörter lassen sich gut merken.',
    save: 'Speichern',
    mails: {
      title: 'Was wir Ihnen per E-Mail mitteilen',
      text: 'Sie bekommen nur, was Sie auswählen.',
      notices: {
        reward_ready: 'Eine Prämie ist verfügbar',
        redemption_paid: 'Sie wurden bezahlt',
        card_broken: 'Ihre Bank bittet Sie, sich neu anzumelden',
      },
      stopText: (publisher: string) =>
        `Dann bekommen Sie keine E-Mails dieser Art über Ihre Prämien bei ${publisher} mehr.`,
      stopped: 'Sie bekommen keine E-Mails dieser Art mehr.',
    },
    account: {
      title: 'Wie Sie sich anmelden',
      add: 'Mit E-Mail anmelden',
      addText: (publisher: string) =>
        `Mit einem Passwort öffnen Sie Ihre Prämien auch ohne den Weg über ${publisher}. Zuerst prüfen wir, ob die Adresse Ihnen gehört.`,
      sendCode: 'Code schicken',
      otherAddress: 'Keine E-Mail bekommen, oder die falsche Adresse?',
      enterCode: 'Code eingeben',
      enterCodeText: (email: string) => `Wir haben ihn an ${email} geschickt. Er gilt eine Stunde lang.`,
      code: 'Code aus der E-Mail',
      change: 'Passwort ändern',
      changeText: (email: string) => `Sie melden sich mit ${email} an. Ein neues Passwort meldet Sie überall sonst ab.`,
      current: 'Bisheriges Passwort',
      sessions: 'Wo Sie angemeldet sind',
      thisOne: 'Hier',
      lastUsed: (day: string) => `Zuletzt verwendet am ${day}`,
      end: 'Dort abmelden',
    },
  },
  mails: {
    sign_up: (publisher: string, code: string) => ({
      subject: `Ihr Code für ${publisher}`,
      before: `Dieser Code zeigt, dass die Adresse Ihnen gehört: ${code}. Geben Sie ihn dort ein, wo Sie ihn angefordert haben:`,
      action: 'Code eingeben',
      after:
        'Er gilt eine Stunde lang, und nur dort, wo Sie angemeldet sind. Wenn Sie ihn nicht angefordert haben, ist nichts zu tun.',
    }),
    reset: (publisher: string, _: string) => ({
      subject: `Neues Passwort für ${publisher}`,
      before: `Jemand, wahrscheinlich Sie, möchte ein neues Passwort für die Prämien von ${publisher}:`,
      action: 'Neues Passwort wählen',
      after:
        'Der Link gilt einmal, eine Stunde lang. Wenn Sie es nicht waren, ist nichts zu tun; Ihr Passwort bleibt, wie es ist.',
    }),
    changed: (publisher: string, _: string) => ({
      subject: `Ihr Passwort für ${publisher} wurde geändert`,
      before: `Ihr Passwort für die Prämien von ${publisher} wurde geändert, und Sie wurden überall sonst abgemeldet. Wenn Sie es nicht waren, setzen Sie es jetzt zurück:`,
      action: 'Passwort zurücksetzen',
      after: `Sagen Sie danach ${publisher} Bescheid.`,
    }),
    reward_ready: (publisher: string, _: string) => ({
      subject: `Ihre Prämien bei ${publisher} sind verfügbar`,
      before: `Sie können Prämien bei ${publisher} einlösen:`,
      action: 'Einlösen',
      after: 'Sie bekommen diese E-Mail, weil Sie sie bestellt haben.',
    }),
    redemption_paid: (publisher: string, _: string) => ({
      subject: `${publisher} hat Sie bezahlt`,
      before: `Was Sie bei ${publisher} eingelöst haben, wurde Ihnen ausgezahlt:`,
      action: 'Eingelöstes ansehen',
      after: 'Sie bekommen diese E-Mail, weil Sie sie bestellt haben.',
    }),
    card_broken: (publisher: string, _: string) => ({
      subject: 'Ihre Bank bittet Sie, sich neu anzumelden',
      before: `Eine Bank, deren Karten Sie bei ${publisher} verbunden haben, bittet Sie, sich neu anzumelden. Bis dahin zählen Einkäufe mit ihren Karten nicht:`,
      action: 'Karten ansehen',
      after: 'Sie bekommen diese E-Mail, weil Sie sie bestellt haben.',
    }),
    stop: 'Diese E-Mails abbestellen',
  },
  done: {
    code: 'Ein Code ist unterwegs zu Ihnen.',
    ownAccount: 'Ab jetzt können Sie sich mit E-Mail und Passwort anmelden.',
    password: 'Ihr neues Passwort ist gespeichert. Überall sonst sind Sie abgemeldet.',
    mails: 'Ihre Auswahl ist gespeichert.',
    ended: 'Dieser Browser ist abgemeldet.',
  },
  faults: {
    email_invalid: 'Bitte geben Sie eine E-Mail-Adresse ein.',
    email_taken: 'Diese Adresse gehört zu einem anderen Konto. Bitte wählen Sie eine andere.',
    password_short: 'Bitte wählen Sie mindestens 12 Zeichen.',
    password_guessable: 'Bitte wählen Sie ein Passwort, das schwerer zu erraten ist.',
    password_long: 'Bitte wählen Sie höchstens 256 Zeichen.',
    password_wrong: 'Das ist nicht Ihr bisheriges Passwort.',
    sign_in_failed: 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
    sign_in_expired: 'Das hat zu lange gedauert. Bitte fordern Sie einen neuen Code an.',
    attempts_exhausted: 'Zu viele Versuche. Bitte versuchen Sie es in 15 Minuten noch einmal.',
    link_expired: 'Dieser Link wurde schon verwendet oder ist zu alt. Bitte fordern Sie einen neuen an.',
    code_wrong: 'Dieser Code stimmt nicht.',
    user_not_active: 'Ihr Konto ist nicht aktiv.',
  },
}
