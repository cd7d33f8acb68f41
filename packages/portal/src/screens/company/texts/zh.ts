import type { Texts } from './en.ts';

const zh: Texts = {
  title: '公司',
  lead: '多人共管一批电站：公司中的每个人都用自己的账户查看公司的电站。每个账户最多属于一家公司。',
  found: '创建公司',
  name: '公司名称',
  foundNow: '创建公司',
  offers: '您收到邀请',
  until: (time) => `有效期至 ${time}`,
  people: '人员',
  you: '您',
  roles: { manager: '管理员', member: '成员' },
  makeManager: '设为管理员',
  makeMember: '设为成员',
  remove: '移除',
  removeTitle: (who) => `移除 ${who}？`,
  removeLead:
    '通过公司获得的访问权限立即终止：此人的密钥和登录不再能访问公司的电站。本人自有的权限保留。',
  removed: (who) => `${who} 已不在公司中。`,
  invite: '邀请',
  email: '电子邮箱',
  role: '角色',
  roleLead:
    '成员可查看公司的电站，并控制公司有权控制的电站。管理员还可以邀请和移除人员、放弃电站，以及为公司改名或解散公司。',
  invited: (email) => `已邀请 ${email}。对方登录后，可在账户菜单的“邀请”中看到。`,
  withdraw: '撤回',
  withdrawTitle: (email) => `撤回对 ${email} 的邀请？`,
  withdrawLead: '之后对方将无法接受。您可以再次邀请。',
  withdrawn: (email) => `已撤回对 ${email} 的邀请。`,
  plants: '公司的电站',
  plantsLead:
    '客户的电站：业主邀请你们中的某个人，由其代表公司接受后即加入。已单独拥有某电站权限的人，可在此将其带入公司。',
  noPlants: '还没有。',
  mayControl: '可查看和控制',
  maySee: '可查看',
  installer: '是其安装商',
  end: '放弃',
  endTitle: '放弃该电站？',
  endLead:
    '您和公司中的其他人都将失去该电站，自有权限者除外。带入者已没有自有权限。只有业主再次邀请你们中的某个人，才能恢复。',
  endLeadOwn: '公司中没有自有权限的其他人将不再能看到它。电站仍归您所有，您可以再次与公司共享。',
  ended: (plant) => `公司不再拥有 ${plant} 的权限。`,
  bringTitle: '与您共享、未与公司共享的电站',
  bringLead: '带入后，公司中的每个人都拥有您现在的权限。',
  bringAll: '全部',
  bring: (count) => `带入（${count}）`,
  bringAsk: (count, shown) => (count === 1 ? '将该电站带入公司？' : `将 ${shown} 座电站带入公司？`),
  bringGives: (company, count) =>
    `之后，${company} 中的每个人都可以对${count === 1 ? '该' : '这些'}电站做您现在能做的事。只要您仍属于该公司，对您没有任何变化。业主会在有权限者中看到该公司，并可终止。`,
  bringWayBack: '如果您离开公司，或公司放弃某座电站，您将不再拥有它；业主可以再次邀请您。',
  brought: (count, shown) =>
    count === 1 ? '公司现在拥有该电站的权限。' : `公司现在拥有这 ${shown} 座电站的权限。`,
  give: (count) => `共享我的全部电站（${count}）`,
  giveNow: '共享这些电站',
  giveLead:
    '公司中的每个人都可查看和控制，电站仍归您所有。单个电站可在其设置的“人员”中与公司共享。',
  andMore: (names, more) => `${names} 等，另有 ${more} 个`,
  giving: (left) => `还剩 ${left}`,
  given: (_count, shown) =>
    `公司已拥有归您所有的 ${shown} 个电站。客户的电站须由其业主邀请你们中的某个人后加入。`,
  previous: '上一页',
  next: '下一页',
  page: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
  settings: '公司设置',
  rename: '改名',
  renamed: '已保存。',
  leave: '离开公司',
  leaveLead:
    '您通过公司获得的访问权限立即终止。您带入的电站留在公司，您将失去它们。您与公司共享的自有电站仍会共享，直到您在其设置中终止。',
  lastManager: '您是唯一的管理员。请先把其他人设为管理员。',
  left: '您已离开公司。',
  dissolve: '解散公司',
  dissolveLead:
    '对所有人终止。您也将失去公司的电站，包括由您带入的，除非电站归您所有或其业主再次邀请您。此操作无法撤销。',
  dissolved: '公司已解散。',
  refused: (expected) => `应为：${expected}`,
};
export default zh;
