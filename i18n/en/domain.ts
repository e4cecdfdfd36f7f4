export default {
  lead: 'Before Gmail and the others take your mail, they look up whether it really comes from you. They look in DNS, the public settings of your domain, which you change where you rented it. The records below answer for you; each is copied there once. Without them, more of your mail ends up as spam or is refused.',
  notShown: 'Owners and editors of this newsletter see its domain.',
  again: 'Check again',
  looked: 'Checked at {{time}}',
  section: 'What DNS says of {{domain}}',
  overall: {
    ready:
      '{{domain}} has what Gmail and Yahoo ask of everybody who sends in bulk: SPF, DKIM and DMARC are in order, and every mail lets readers unsubscribe with one click.',
    lacking:
      'Gmail and Yahoo ask for SPF, DKIM and DMARC from everybody who sends in bulk. Still open for {{domain}}: {{list}}.',
    refused:
      'Gmail and the others will refuse your mail or file it as spam: the DMARC rule of {{domain}} tells them to, since nothing yet proves that it is yours. Mend what is marked below before you send.',
    unsure: 'Nothing was found wrong with {{domain}}, but not everything could be seen from here.',
    free_mail:
      'Addresses at {{domain}} belong to its provider, who has newsletters refused or filed as spam when others send them in its name.',
    local: 'Mail comes from {{address}}, a domain that nobody outside knows.',
  },
  instead:
    'Use a sender address in a domain of your own. Replies may still go to the address you have: put it under “Replies go to”.',
  toSender: 'Sender settings',
  state: { good: 'In order', missing: 'Missing', wrong: 'Wrong', unknown: 'Not known' },
  check: {
    spf: 'SPF: who may send in your name',
    dkim: 'DKIM: the signature on each mail',
    dmarc: 'DMARC: what happens to mail that is not yours',
    mx: 'MX: where answers and bounces arrive',
    ptr: 'PTR: the name of the sending server',
  },
  short: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', mx: 'MX', ptr: 'PTR' },
  reason: {
    spf_covers: 'This record is the list of who may send in your name, and {{place}} is on it. Nothing to do.',
    spf_none:
      '{{domain}} has no list yet of who may send in your name; without it, your mail looks forged and often ends up as spam. The help of your relay, the mail server that sends for you, says which SPF record to copy.',
    spf_none_set:
      '{{domain}} has no list yet of who may send in your name; without it, your mail looks forged and often ends up as spam. Copy the record below.',
    spf_none_ofServer:
      '{{domain}} has no list yet of who may send in your name; without it, your mail looks forged and often ends up as spam.',
    spf_several:
      'There are {{count}} lists of who may send in your name, and then none of them counts. Put one in their place that names everybody who is on them.',
    spf_syntax:
      'The list of {{domain}} contains “{{term}}”, which nobody can read, and so none of it counts. Correct that word or remove it.',
    spf_lookups:
      'This list points to others, and reading them all takes {{count}} questions to DNS. Gmail and the others stop after 10, and then none of it counts. Remove the “include” of a service that you no longer use.',
    spf_voids: 'This list names {{count}} servers that do not exist; with more than 2, none of it counts. Remove them.',
    spf_include_none:
      'This list points to {{domain}}, where no list stands, or several do, and so none of it counts. Remove that “include”, or correct its name.',
    spf_everybody: 'This list ends with “+all”: it lets anybody send in your name, swindlers too. End it with “~all”.',
    spf_not_covered:
      'There is a list of who may send in your name, but {{place}} is not on it, so your mail may end up as spam. Add what is missing, and keep the rest.',
    spf_cannot_tell:
      'There is a list of who may send in your name. Whether {{place}} is on it cannot be seen from here: ask them which “include” to add.',
    spf_provider:
      'There is a list of who may send in your name. {{place}} sends with a return address of its own, the one to which undelivered mail goes back, and that is where others look: set up one in your domain there. Naming {{place}} on your list as well does no harm.',
    spf_unknown_address:
      'There is a list of who may send in your name. Mail leaves from this server, whose public address is not known here: see that it is on the list.',
    spf_no_relay:
      'There is a list of who may send in your name. You will see who must be on it once mail leaves through a relay, the mail server that carries it.',
    spf_failed: 'DNS did not answer for {{domain}}. That often mends itself: check again in a moment.',
    dkim_signs:
      'Every mail carries a signature that proves that it is yours, and DNS has both keys to check it with. Nothing to do.',
    dkim_signs_rsa_only:
      'Every mail carries a signature that proves that it is yours, and DNS has the key to check it with. The second key, Ed25519, is stronger and still waits for its record.',
    dkim_no_keys:
      'Mail from {{domain}} carries no signature yet, so nothing proves that it is yours, and Gmail may refuse it. Make keys below, and copy the two records they come with.',
    dkim_not_published:
      'DNS has nothing at {{name}} yet, so nobody can check your signature. Copy the record shown with the keys below.',
    dkim_other_key:
      'The record at {{name}} holds another key, or a part of ours: long values are easily cut when they are pasted. Copy it whole once more.',
    dkim_revoked:
      'The record at {{name}} says that its key no longer counts. Copy it as shown below, or make new keys.',
    dkim_unreadable: 'What stands at {{name}} cannot be read as one key. Keep one record there, as shown below.',
    dkim_ed25519_only:
      'DNS has the newer key, Ed25519. Many mailboxes read only the older kind, RSA: copy the other record too.',
    dkim_provider:
      '{{place}} signs mail itself, in place of what was signed here, with a key that you set up there. Whether that is done for {{domain}} cannot be seen from here: look there.',
    dkim_provider_may:
      'Mail from {{domain}} is not signed here yet. {{place}} can sign it with a key that you set up there; whether it does cannot be seen from here. Keys made below sign whichever way mail leaves.',
    dkim_failed: 'DNS did not answer for {{domain}} when asked for the keys. Check again in a moment.',
    dmarc_passes:
      'The rule at {{name}} says what happens to mail that only pretends to be yours: “{{policy}}”. Your own mail passes it.',
    dmarc_watches:
      'The rule at {{name}} is “none”: mail that only pretends to be yours still gets through, and reports say who sends it. When they name only yourself, raise the rule to “quarantine” (to the spam folder), then to “reject” (refused).',
    dmarc_unclear:
      'The rule at {{name}} is “{{policy}}”. Whether your own mail passes it could not be seen; once the DKIM records are there it does.',
    dmarc_none:
      'No rule says yet what happens to mail that only pretends to come from {{domain}}; Gmail and Yahoo ask for one. Begin with “none”: it changes nothing for your mail and brings reports of who sends in your name. When they name only yourself, raise it to “quarantine” (to the spam folder), then to “reject” (refused).',
    dmarc_several: 'There are {{count}} rules at {{name}}, and then none of them counts. Keep one.',
    dmarc_unreadable:
      'The record at {{name}} holds no rule that can be read. It needs p=none (let through), p=quarantine (to the spam folder) or p=reject (refuse).',
    dmarc_refuses:
      'The rule at {{name}} is “{{policy}}”, and your own mail does not pass it yet: it would be refused or end up as spam. Copy the DKIM records first; until they are seen, lower the rule to “none”, or do not send.',
    dmarc_failed: 'DNS did not answer when asked for the rule of {{domain}}. Check again in a moment.',
    mx_receives: 'Mail to {{domain}} arrives. Nothing to do.',
    mx_none:
      '{{domain}} takes no mail: what readers answer is lost, and so are bounces, the mails that say that an address does not work. Whoever keeps your mailboxes says which MX record to copy.',
    mx_implicit:
      '{{domain}} does not say who takes its mail, so answers go to whatever is at its address, often the website, and may be lost. Whoever keeps your mailboxes says which MX record to copy.',
    mx_null:
      '{{domain}} says that it takes no mail at all, and some refuse senders who cannot be answered. Whoever keeps your mailboxes says which MX record to put in its place.',
    mx_lost:
      'The servers that should take mail for {{domain}} do not exist, so answers are lost. Whoever keeps your mailboxes says what the MX record should be.',
    mx_bounces:
      'Bounces, the mails that say that an address does not work, go to {{domain}}, and nothing takes mail there, so nobody learns of dead addresses. Let its MX record name the server that Tirage listens on.',
    mx_failed: 'DNS did not answer for {{domain}}. Check again in a moment.',
    ptr_confirmed: 'The server at {{address}} has a name, and the name leads back to it. Nothing to do.',
    ptr_none:
      '{{address}}, where your mail leaves from, has no name, and many refuse mail from nameless servers. Ask whoever rents you the address to set its reverse DNS, the name that belongs to it, to {{place}}.',
    ptr_mismatch:
      'The name of {{address}}, where your mail leaves from, leads elsewhere, and some refuse mail for that. Ask whoever rents you the address to set its reverse DNS, the name that belongs to it, to {{place}}.',
    ptr_provider: 'This is for those who run a mail server of their own. {{place}} sees to it for you: nothing to do.',
    ptr_no_address:
      'This is for those who run a mail server of their own. The public address that its mail leaves from is not known here.',
    ptr_failed: 'DNS did not answer when asked for the name of {{address}}. Check again in a moment.',
  },
  found: 'Found',
  set: 'To copy',
  toPassOn: 'To pass on',
  ofServer:
    '{{domain}} belongs to this server: undelivered mail goes back there, and receivers look there. Whoever runs the server changes its DNS; if that is not you, pass this on.',
  record: {
    name: 'Name',
    value: 'TXT value',
    zone: 'For a zone file',
    hint: 'Where you rented your domain, open its DNS settings, add a record of the kind TXT, and copy the name and the value into it. Some forms add “.{{domain}}” to the name by themselves: leave that part out there.',
  },
  keys: {
    title: 'Keys that sign',
    lead: 'Each mail gets a signature that nobody can forge without your keys. There are two, RSA and the newer Ed25519, each with a record to copy into DNS, where others find what they check the signature with. A key begins to sign when its record is seen; we look every hour, and whenever you check.',
    none: 'Mail is not signed yet',
    noneText: 'Make a pair of keys, copy their two records into DNS, and check again.',
    make: 'Make keys',
    renew: 'New keys',
    renewText:
      'New keys get names of their own. The ones you have go on signing until the new records are seen, so nothing is unsigned in between.',
    waiting: 'Waits for its record',
    active: 'Signs',
    retired: 'Signs no more',
    unseen: 'Signs, never seen in DNS',
    since: 'Since {{date}}',
    made: 'Made {{date}}',
    until: 'Leave its record until {{date}}, for mail still on its way. Then remove both.',
    other: 'DNS holds another key under this name.',
    revoked: 'DNS says that this key was revoked.',
    unreadable: 'What DNS holds under this name cannot be read.',
    former: 'For {{domain}}',
    show: 'Show the record',
    force: 'Sign without waiting',
    forceAsk: 'Sign with {{selector}} now?',
    forceText:
      'Its record was not seen. Receivers who cannot find it treat the mail as unsigned. Do this only when you know that it is there, for example where this server cannot ask public DNS.',
    wait: 'Go on waiting',
    retire: 'Stop signing',
    retireAsk: 'Stop signing with {{selector}}?',
    retireText:
      'It signs nothing more, and cannot be switched on again. Leave its record for a week, for mail still on its way.',
    remove: 'Remove',
    removeAsk: 'Remove {{selector}}?',
    removeText: 'The key is gone for good. Remove its record at your DNS provider too.',
    actions: 'What to do with {{selector}}',
  },
  flight: {
    ready: 'Sending domain in order',
    readyText: 'SPF, DKIM and DMARC pass for {{domain}}',
    lacking: 'The sending domain needs a record or two',
    lackingText: 'Still open for {{domain}}: {{list}}. Some receivers will file the mail as spam.',
    refused: 'Receivers will refuse this mail',
    refusedText: 'The DMARC rule of {{domain}} tells them to: nothing proves yet that it is yours.',
    unsure: 'Sending domain not fully known',
    unsureText: 'Nothing is wrong with {{domain}} as far as DNS answered.',
    free_mail: 'The sender address is a mailbox provider’s',
    free_mailText: 'Receivers refuse newsletters from {{domain}} that others send, or file them as spam.',
    local: 'The sender address is not public',
    localText: 'No name server outside knows {{domain}}.',
    see: 'See',
  },
}
