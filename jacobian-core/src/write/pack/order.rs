//! The order of a code list in which the lanes of each pack are together. It is that of the list as far as that goes:
//! a pack stands where its last lane stood, and what reads it after it.
//!
//! Packs that need each other, of which each lane needs none, are found here: one of them is given up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jacobian_list::code_list::{CodeList, ValueId};

use super::groups::{Form, Group, Groups};
use super::lanes::{Operand, Pack};

/// The list with the lanes of each group together, and the packs that they are, in order.
pub fn ordered(list: &CodeList, groups: Groups, uses: &[usize]) -> (CodeList, Vec<Pack>) {
    let is_inner = groups.inner(uses);
    let mut ordering = Ordering::new(list, groups, is_inner);
    ordering.run();
    let Ordering { order, groups, is_inner, .. } = ordering;
    let packs = packs(&order, &groups, &is_inner);
    (list.in_order(&order), packs)
}

/// The groups as packs of the list in its new order.
fn packs(order: &[ValueId], groups: &Groups, is_inner: &[bool]) -> Vec<Pack> {
    let mut places = vec![ValueId::new(0); order.len()];
    for (place, id) in order.iter().enumerate() {
        places[id.index()] = ValueId::new(place);
    }
    let place = |id: &ValueId| places[id.index()];
    let mut by_place = vec![None; order.len()];
    for (number, group) in groups.all() {
        by_place[place(&group.lanes[0]).index()] = Some((number, group));
    }
    let mut numbers = vec![usize::MAX; groups.len()];
    let mut packs = Vec::new();
    for (first, group) in by_place.into_iter().enumerate() {
        let Some((number, group)) = group else { continue };
        let first = ValueId::new(first);
        numbers[number] = packs.len();
        let operand = |values: &Vec<ValueId>| match groups.form(values) {
            Form::Same => Operand::Same(place(&values[0])),
            Form::Group(group) => Operand::Pack(numbers[group]),
            Form::Values => Operand::Values(values.iter().map(place).collect()),
        };
        let operands = group.operands.iter().map(operand).collect();
        let (operation, width, is_inner) = (group.operation, group.lanes.len(), is_inner[number]);
        packs.push(Pack { operation, first, width, operands, is_inner });
    }
    packs
}

struct Ordering<'a> {
    list: &'a CodeList,
    groups: Groups,
    /// By group: whether it is written in the one that reads it, before which it then stands.
    is_inner: Vec<bool>,
    users: Users,
    /// By value: how many values it still waits for. By group: how many its lanes wait for.
    waiting: Vec<usize>,
    waiting_lanes: Vec<usize>,
    /// What waits for nothing: single values, and the last lanes of groups.
    ready: BinaryHeap<Reverse<ValueId>>,
    /// By group: whether all of its lanes have been ready.
    is_done: Vec<bool>,
    order: Vec<ValueId>,
}

impl<'a> Ordering<'a> {
    fn new(list: &'a CodeList, groups: Groups, is_inner: Vec<bool>) -> Self {
        let users = Users::of(list);
        let mut waiting = vec![0; list.statements().len()];
        for user in &users.users {
            waiting[user.index()] += 1;
        }
        let lanes =
            |group: Option<&Group>| group.map_or(0, |group| group.lanes.iter().map(|lane| waiting[lane.index()]).sum());
        let waiting_lanes = (0..groups.len()).map(|number| lanes(groups.get(number))).collect();
        let is_done = vec![false; groups.len()];
        let (ready, order) = (BinaryHeap::new(), Vec::with_capacity(waiting.len()));
        Ordering { list, groups, is_inner, users, waiting, waiting_lanes, ready, is_done, order }
    }

    fn run(&mut self) {
        let is_free = |id: &ValueId| self.waiting[id.index()] == 0 && self.groups.of(*id).is_none();
        self.ready = self.list.ids().filter(is_free).map(Reverse).collect();
        let mut left = self.groups.order().to_vec().into_iter();
        loop {
            while let Some(Reverse(id)) = self.ready.pop() {
                match self.groups.of(id) {
                    Some(number) => self.group(number),
                    None => self.single(id),
                }
            }
            match left.find(|&number| !self.is_done[number] && self.groups.get(number).is_some()) {
                Some(number) => self.give_up(number),
                None => break,
            }
        }
        debug_assert_eq!(self.order.len(), self.list.statements().len(), "every statement has its place");
    }

    fn single(&mut self, id: ValueId) {
        self.order.push(id);
        self.done(id);
    }

    /// Says that a group is there, and puts it in its place, unless it is written in another one that is to come.
    fn group(&mut self, number: usize) {
        self.is_done[number] = true;
        let Some(group) = self.groups.get(number) else { return };
        let lanes = group.lanes.clone();
        if !self.is_inner[number] {
            self.write(number);
        }
        lanes.into_iter().for_each(|lane| self.done(lane));
    }

    /// Puts a group in its place, after those that are written in it.
    fn write(&mut self, number: usize) {
        self.inner_groups(number).into_iter().for_each(|inner| self.write(inner));
        self.order.extend(self.groups.get(number).iter().flat_map(|group| &group.lanes));
    }

    /// The groups that are written in this one.
    fn inner_groups(&self, number: usize) -> Vec<usize> {
        let mut inner = Vec::new();
        for operand in self.groups.get(number).iter().flat_map(|group| &group.operands) {
            if let Form::Group(group) = self.groups.form(operand)
                && self.is_inner[group]
            {
                inner.push(group);
            }
        }
        inner
    }

    /// Says that a value is there, to those that wait for it.
    fn done(&mut self, id: ValueId) {
        for place in self.users.range(id) {
            let user = self.users.users[place];
            self.waiting[user.index()] -= 1;
            match self.groups.of(user) {
                Some(number) => {
                    self.waiting_lanes[number] -= 1;
                    if self.waiting_lanes[number] == 0 {
                        self.ready.extend(self.groups.get(number).map(|group| Reverse(group.last())));
                    }
                }
                None if self.waiting[user.index()] == 0 => self.ready.push(Reverse(user)),
                None => {}
            }
        }
    }

    /// Makes single statements of a group that waits for itself.
    fn give_up(&mut self, number: usize) {
        for inner in self.inner_groups(number) {
            self.is_inner[inner] = false;
            if self.is_done[inner] {
                self.write(inner);
            }
        }
        let lanes = self.groups.get(number).map(|group| group.lanes.clone()).unwrap_or_default();
        self.groups.give_up(number);
        self.is_inner[number] = false;
        self.is_done[number] = true;
        let is_ready = |lane: &ValueId| self.waiting[lane.index()] == 0;
        self.ready.extend(lanes.into_iter().filter(is_ready).map(Reverse));
    }
}

/// By value: the statements that must come after it, as often as they use it.
struct Users {
    starts: Vec<usize>,
    users: Vec<ValueId>,
}

impl Users {
    /// What uses a value, and what keeps its place after another.
    fn of(list: &CodeList) -> Self {
        let mut last = None;
        let mut edges: Vec<(ValueId, ValueId)> = Vec::new();
        for id in list.ids() {
            edges.extend(list.args(id).map(|arg| (arg, id)));
            if list.keeps_its_place(id) {
                edges.extend(last.replace(id).map(|last| (last, id)));
            }
        }
        let mut starts = vec![0; list.statements().len() + 1];
        for (used, _) in &edges {
            starts[used.index() + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let (mut next, mut users) = (starts.clone(), vec![ValueId::new(0); edges.len()]);
        for (used, user) in edges {
            users[next[used.index()]] = user;
            next[used.index()] += 1;
        }
        Users { starts, users }
    }

    /// The places of the users of a value.
    fn range(&self, id: ValueId) -> std::ops::Range<usize> {
        self.starts[id.index()]..self.starts[id.index() + 1]
    }
}
