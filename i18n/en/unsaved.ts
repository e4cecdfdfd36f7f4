export default {
  title: 'Your changes are not saved',
  text: 'If you leave now, what you changed on this page is lost.',
  stay: 'Keep editing',
  leave: 'Leave without saving',
}
