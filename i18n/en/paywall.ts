export default {
  title: 'The rest is for paid subscribers',
  read_one: 'One minute read',
  read_other: '{{count}} minutes read',
  left_one: 'one to go',
  left_other: '{{count}} to go',
  leftWithPictures_one: '{{left}}, with a picture',
  leftWithPictures_other: '{{left}}, with {{count}} pictures',
  text_one: 'Another minute to read. It is paid for by the people who read it.',
  text_other: 'Another {{count}} minutes to read. They are paid for by the people who read them.',
  subscribe: 'See the plans',
  paid: 'Paid already?',
  readOn: 'Read the rest',
}
