//! Fields that are taken if they have the wanted shape and passed over if not, so that one odd
//! field never costs the line it is on.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What a field makes of each JSON shape; whatever it does not know gives its default.
pub(super) trait Loose<'de>: Default {
    fn text(_text: Cow<'de, str>) -> Self {
        Self::default()
    }

    fn flag(_flag: bool) -> Self {
        Self::default()
    }

    fn number(_number: u64) -> Self {
        Self::default()
    }

    fn object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    fn array<A: SeqAccess<'de>>(mut array: A) -> Result<Self, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// For `#[serde(deserialize_with)]`.
pub(super) fn loose<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Loose<'de>,
{
    deserializer.deserialize_any(AnyShape(PhantomData))
}

/// The object as its own type, for the [`Loose::object`] of types that derive `Deserialize`.
pub(super) fn object<'de, A, T>(object: A) -> Result<T, A::Error>
where
    A: MapAccess<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(MapAccessDeserializer::new(object))
}

impl<'de> Loose<'de> for Option<Cow<'de, str>> {
    fn text(text: Cow<'de, str>) -> Self {
        Some(text)
    }
}

impl Loose<'_> for bool {
    fn flag(flag: bool) -> Self {
        flag
    }
}

impl Loose<'_> for Option<u64> {
    fn number(number: u64) -> Self {
        Some(number)
    }
}

/// An element of an array.
pub(super) struct Element<T>(pub(super) T);

impl<'de, T: Loose<'de>> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        loose(deserializer).map(Self)
    }
}

struct AnyShape<T>(PhantomData<T>);

impl<'de, T: Loose<'de>> Visitor<'de> for AnyShape<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        Ok(T::flag(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        Ok(T::number(number))
    }

    fn visit_i64<E>(self, _number: i64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_f64<E>(self, _number: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::object(object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<T, A::Error> {
        T::array(array)
    }
}
