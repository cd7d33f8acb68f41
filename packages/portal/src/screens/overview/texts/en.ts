const en = {
  title: 'Your plants',
  plant: 'Plant',
  state: 'State',
  power: 'Power now',
  today: 'Today',
};
export type Texts = typeof en;
export default en;
